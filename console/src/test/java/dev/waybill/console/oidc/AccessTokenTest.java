package dev.waybill.console.oidc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Base64;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTokenTest {

    @Test
    void readsTheExpiry() {
        assertThat(AccessToken.expiry(token("{\"exp\": 1767268800}"))).contains(Instant.parse("2026-01-01T12:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "{}", "[]", "", "{\"exp\": \"soon\"}", "{\"exp\": null}", "{\"exp\": 1e300}", "{\"exp\"" })
    void tokenWithoutExpiryIsUnusable(String claims) {
        assertThat(AccessToken.expiry(token(claims))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "opaque", "a.b", "a.b.c.d", "a.%%%.c", "a.e30\r\nX-Tenant-Id: x.c" })
    void opaqueTokenIsUnusable(String token) {
        assertThat(AccessToken.expiry(token)).isEmpty();
    }

    private static String token(String claims) {
        return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(UTF_8)) + ".c2ln";
    }
}
