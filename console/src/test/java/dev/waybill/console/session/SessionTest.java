package dev.waybill.console.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.console.Browser;
import dev.waybill.console.Upstream;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
@QuarkusTestResource(Upstream.class)
class SessionTest {

    @TestHTTPResource
    URI address;

    private Browser browser;

    @BeforeEach
    void openBrowser() {
        browser = new Browser(address);
    }

    @Test
    void returns401WithoutSession() {
        HttpResponse<String> response = browser.send(browser.request("/session"));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.body()).contains("session_required");
    }

    @Test
    void signInSetsSealedCookie() {
        HttpResponse<String> response = browser.signIn(Upstream.KEY);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains(Upstream.WORKSPACE, "\"name\":\"Test\"").doesNotContain(Upstream.KEY);
        assertThat(response.headers().firstValue("Set-Cookie")).hasValueSatisfying(cookie -> assertThat(cookie)
                .startsWith("waybill=").contains("HTTPOnly", "SameSite=Lax", "Path=/").doesNotContain(Upstream.KEY));
        assertThat(browser.send(browser.request("/session")).statusCode()).isEqualTo(200);
    }

    @Test
    void signInRejectsUnknownKey() {
        HttpResponse<String> response = browser.signIn("wb_unknown");

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(response.body()).contains("invalid_api_key");
    }

    @Test
    void signInFromAnotherSiteIsRejected() {
        HttpResponse<String> withoutHeader = browser.send(browser.foreign("/session")
                .header("Sec-Fetch-Site", "same-origin").POST(body()));
        HttpResponse<String> fromOtherSite = browser.send(browser.foreign("/session").header("X-Waybill-Console", "1")
                .header("Sec-Fetch-Site", "cross-site").POST(body()));
        HttpResponse<String> fromOtherOrigin = browser.send(browser.foreign("/session").header("X-Waybill-Console", "1")
                .header("Origin", "https://example.com").POST(body()));

        assertThat(withoutHeader.statusCode()).isEqualTo(403);
        assertThat(fromOtherSite.statusCode()).isEqualTo(403);
        assertThat(fromOtherOrigin.statusCode()).isEqualTo(403);
    }

    @Test
    void signInAcceptsOwnOriginOfOlderBrowsers() {
        HttpResponse<String> response = browser.send(browser.foreign("/session").header("X-Waybill-Console", "1")
                .header("Origin", "http://localhost:" + browser.port()).POST(body()));

        assertThat(response.statusCode()).isEqualTo(200);
    }

    @Test
    void signInRejectsMalformedBodies() {
        for (String body : new String[] { "", "[]", "{\"api_key\": 1}", "{\"api_key\": \"a\\nb\"}", "{\"api_key\": \"\"}" }) {
            HttpResponse<String> response = browser.send(browser.request("/session").POST(BodyPublishers.ofString(body)));
            assertThat(response.statusCode()).as(body).isEqualTo(400);
        }
        HttpResponse<String> large = browser.send(browser.request("/session").POST(BodyPublishers.ofString("x".repeat(5000))));
        assertThat(large.statusCode()).isEqualTo(413);
    }

    @Test
    void changedCookieIsNoSession() {
        browser.signIn(Upstream.KEY);
        String cookie = browser.cookie();
        char last = cookie.charAt(cookie.length() - 2);
        browser.setCookie(cookie.substring(0, cookie.length() - 2) + (last == 'A' ? 'B' : 'A')
                + cookie.charAt(cookie.length() - 1));

        assertThat(browser.send(browser.request("/session")).statusCode()).isEqualTo(401);
    }

    @Test
    void signOutRemovesCookie() {
        browser.signIn(Upstream.KEY);

        HttpResponse<String> response = browser.send(browser.request("/session").DELETE());

        assertThat(response.statusCode()).isEqualTo(204);
        assertThat(response.headers().firstValue("Set-Cookie")).hasValueSatisfying(
                cookie -> assertThat(cookie).startsWith("waybill=;").contains("Max-Age=0"));
    }

    @Test
    void signOutFromAnotherSiteIsRejected() {
        browser.signIn(Upstream.KEY);

        assertThat(browser.send(browser.foreign("/session").DELETE()).statusCode()).isEqualTo(403);
    }

    private static HttpRequest.BodyPublisher body() {
        return BodyPublishers.ofString("{\"api_key\": \"" + Upstream.KEY + "\"}");
    }
}
