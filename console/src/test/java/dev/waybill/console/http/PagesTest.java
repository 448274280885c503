package dev.waybill.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.console.Browser;
import dev.waybill.console.Upstream;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
@QuarkusTestResource(Upstream.class)
class PagesTest {

    @TestHTTPResource
    URI address;

    private Browser browser;

    @BeforeEach
    void openBrowser() {
        browser = new Browser(address);
    }

    @Test
    void everyPageOpensTheApplicationWithItsPolicy() {
        for (String path : new String[] { "/", "/sign-in", "/w/x/projects", "/w/x/traces/y?run=z", "/gallery" }) {
            HttpResponse<String> response = browser.send(browser.foreign(path));

            assertThat(response.statusCode()).as(path).isEqualTo(200);
            assertThat(response.body()).contains("<div id=\"app\">").doesNotContain("<script>", "<style");
            assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-cache");
            assertThat(response.headers().firstValue("Content-Security-Policy")).hasValueSatisfying(
                    policy -> assertThat(policy).startsWith("default-src 'none'; script-src 'self'; style-src 'self'")
                            .contains("frame-ancestors 'none'", "require-trusted-types-for 'script'")
                            .doesNotContain("unsafe"));
            assertThat(response.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
        }
    }

    /** The forms that the Python and npm clients and {@code app_path} of runs have. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /o/{1}                                             | /w/{1}
            /o/{1}/projects                                    | /w/{1}/projects
            /o/{1}/projects/p/{2}                              | /w/{1}/projects/{2}
            /o/{1}/projects/p/{2}/r/{3}?poll=true              | /w/{1}/traces/{3}
            /o/{1}/projects/p/{2}/r/{3}?trace_id={3}           | /w/{1}/traces/{3}
            /o/{1}/projects/p/{2}/r/{3}?trace_id={4}&start_time=2026-01-01T00:00:00 | /w/{1}/traces/{4}?run={3}
            /o/{1}/projects/p/{2}/r/{3}?trace_id=//other.example | /w/{1}/traces/{3}
            /o/{1}/datasets/{2}                                | /w/{1}/datasets/{2}
            /o/{1}/datasets/{2}/e/{3}                          | /w/{1}/datasets/{2}/examples/{3}
            /o/{1}/datasets/{2}/compare                        | /w/{1}/datasets/{2}/compare
            /o/{1}/datasets/{2}/compare?selectedSessions={3}   | /w/{1}/datasets/{2}/compare?with={3}
            /o/{1}/datasets/{2}/compare?selectedSessions={3}%2C{4} | /w/{1}/datasets/{2}/compare?base={3}&with={4}
            /o/{1}/datasets/{2}/compare?selectedSessions={2},{3},{4} | /w/{1}/datasets/{2}/compare?base={2}&with={3},{4}
            /o/{1}/datasets/{2}/compare?selectedSessions={3}&selectedSessions={4} | /w/{1}/datasets/{2}/compare?base={3}&with={4}
            """)
    void linksOfTracingClientsLeadToPages(String link, String page) {
        HttpResponse<String> response = browser.send(browser.foreign(withIds(link)));

        assertThat(response.statusCode()).isEqualTo(302);
        assertThat(response.headers().firstValue("Location")).hasValue(Upstream.PUBLIC_URL + withIds(page));
    }

    @ParameterizedTest
    @ValueSource(strings = { "/o", "/o/", "/o/x", "/o/{1}/hub", "/o/{1}/projects/p/x", "/o/{1}/projects/p/{2}/r/x",
            "/o/{1}//other.example" })
    void linksWithoutPageAreNotFound(String link) {
        assertThat(browser.send(browser.foreign(withIds(link))).statusCode()).isEqualTo(404);
    }

    private static String withIds(String text) {
        return text.replaceAll("\\{([1-4])}", "0197a000-0000-7000-8000-00000000000$1");
    }

    @Test
    void assetsAreCachedForever() {
        Matcher script = Pattern.compile("/assets/[^\"]+\\.js").matcher(browser.send(browser.foreign("/")).body());
        assertThat(script.find()).isTrue();

        HttpResponse<String> response = browser.send(browser.foreign(script.group()));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("public, max-age=31536000, immutable");
    }

    /** A browser applies the headers of 304 to the page that it stored. */
    @Test
    void revalidatedPageKeepsItsPolicy() {
        HttpResponse<String> first = browser.send(browser.foreign("/w/x/projects"));
        String modified = first.headers().firstValue("Last-Modified").orElseThrow();

        HttpResponse<String> second = browser.send(browser.foreign("/w/x/projects").header("If-Modified-Since", modified));

        assertThat(second.statusCode()).isEqualTo(304);
        assertThat(second.headers().allValues("Content-Security-Policy"))
                .isEqualTo(first.headers().allValues("Content-Security-Policy"));
        assertThat(second.headers().firstValue("Cache-Control")).hasValue("no-cache");
    }

    @Test
    void missingAssetIsNotCached() {
        HttpResponse<String> response = browser.send(browser.foreign("/assets/missing.js"));

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
    }

    @Test
    void consoleIsReadyWithoutItsServices() {
        assertThat(browser.send(browser.foreign("/q/health/ready")).statusCode()).isEqualTo(200);
    }
}
