package dev.waybill.console.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Instant;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.console.Browser;
import dev.waybill.console.Upstream;
import dev.waybill.console.service.Credential;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonObject;

/** Sessions with an access token instead of an API key. */
@QuarkusTest
@QuarkusTestResource(Upstream.class)
class TokenSessionTest {

    @TestHTTPResource
    URI address;

    @Inject
    SessionCipher cipher;

    private Browser browser;

    @BeforeEach
    void openBrowser() {
        browser = new Browser(address);
    }

    @Test
    void servicesReceiveTheToken() {
        // Given
        start(Upstream.TOKEN, Instant.now().plusSeconds(60));

        // When
        HttpResponse<String> response = browser.send(browser.request("/api/v1/runs/echo"));

        // Then
        assertThat(response.statusCode()).isEqualTo(200);
        JsonObject headers = new JsonObject(response.body()).getJsonObject("headers");
        assertThat(headers.getString("authorization")).isEqualTo("Bearer " + Upstream.TOKEN);
        assertThat(headers.fieldNames()).doesNotContain("x-api-key", "cookie");
        assertThat(browser.send(browser.request("/session")).statusCode()).isEqualTo(200);
    }

    @Test
    void deployedApplicationsReceiveTheToken() {
        start(Upstream.TOKEN, Instant.now().plusSeconds(60));

        HttpResponse<String> response = browser.send(browser.request("/run/" + Upstream.DEPLOYMENT + "/info"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("Bearer " + Upstream.TOKEN);
    }

    @Test
    void expiredTokenIsNoSession() {
        start(Upstream.TOKEN, Instant.now().minusSeconds(1));

        assertThat(browser.send(browser.request("/session")).statusCode()).isEqualTo(401);
        assertThat(browser.send(browser.request("/api/v1/runs/echo")).statusCode()).isEqualTo(401);
    }

    @Test
    void rejectedTokenEndsTheSession() {
        start("not.accepted.token", Instant.now().plusSeconds(60));

        HttpResponse<String> response = browser.send(browser.request("/session"));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.body()).doesNotContain("not.accepted.token");
        assertThat(response.headers().firstValue("Set-Cookie")).hasValueSatisfying(
                cookie -> assertThat(cookie).startsWith("waybill=;").contains("Max-Age=0"));
    }

    @Test
    void singleSignOnIsOffByDefault() {
        assertThat(browser.send(browser.request("/session/options")).body()).isEqualTo("{\"single_sign_on\":false}");
        assertThat(browser.send(browser.foreign("/session/oidc")).statusCode()).isEqualTo(404);
    }

    private void start(String token, Instant expiresAt) {
        browser.setCookie("waybill=" + cipher.seal(new Session(Credential.ofToken(token), expiresAt)));
    }
}
