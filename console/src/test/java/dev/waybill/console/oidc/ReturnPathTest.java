package dev.waybill.console.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReturnPathTest {

    @ParameterizedTest
    @ValueSource(strings = { "/w/1", "/w/0193a7c2/projects?filter=eq%28a%2C+%22b%22%29&from=-1d",
            "/w/1/datasets/2/compare?base=3&with=4,5#row" })
    void acceptsPages(String path) {
        assertThat(ReturnPath.of(path)).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "w/1", "/", "/w", "/w/", "//example.com", "///example.com", "/\\example.com",
            "\\\\example.com",
            "https://example.com/w/1", "https:/w/1", "javascript:alert(1)", "data:text/html,x", "/w/1//example.com",
            "/w/..//example.com", "/w/../session/oidc", "/w/.", "/w/\\\\example.com", "/w/1\n", "/w/1\r\nSet-Cookie: a=b",
            "/\t/example.com", "/w/\t", "/w/1 2", "/w/ü", "/w/\u202e", " /w/1", "/session/oidc", "/sign-in", "/v1/whoami",
            "/W/1" })
    void rejectsOtherAddresses(String path) {
        assertThat(ReturnPath.of(path)).isEqualTo("/");
    }

    @Test
    void rejectsLongAndAbsentAddresses() {
        assertThat(ReturnPath.of(null)).isEqualTo("/");
        assertThat(ReturnPath.of("/w/" + "a".repeat(1997))).hasSize(2000);
        assertThat(ReturnPath.of("/w/" + "a".repeat(1998))).isEqualTo("/");
    }
}
