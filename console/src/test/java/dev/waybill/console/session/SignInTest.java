package dev.waybill.console.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Management;
import dev.waybill.console.Browser;
import dev.waybill.console.Upstream;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonObject;

/** The one-time sign-in address of a local stack. */
@QuarkusTest
@QuarkusTestResource(Upstream.class)
class SignInTest {

    @TestHTTPResource
    URI address;

    private Browser browser;

    @BeforeEach
    void openBrowser() {
        browser = new Browser(address);
    }

    @Test
    void codeStartsOneSession() {
        String code = createCode();

        HttpResponse<String> first = browser.signInWith("code", code);
        HttpResponse<String> second = new Browser(address).signInWith("code", code);

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).contains(Upstream.WORKSPACE).doesNotContain(Upstream.KEY, code);
        assertThat(browser.send(browser.request("/session")).statusCode()).isEqualTo(200);
        assertThat(second.statusCode()).isEqualTo(401);
        assertThat(second.body()).contains("invalid_sign_in_code", "five minutes").doesNotContain(code);
        assertThat(second.headers().firstValue("Set-Cookie")).isEmpty();
    }

    @Test
    void codeFromAnotherSiteIsRejectedAndRemainsValid() {
        String code = createCode();

        HttpResponse<String> forged = browser.send(browser.foreign("/session").header("Sec-Fetch-Site", "cross-site")
                .POST(BodyPublishers.ofString("{\"code\": \"" + code + "\"}")));

        assertThat(forged.statusCode()).isEqualTo(403);
        assertThat(browser.signInWith("code", code).statusCode()).isEqualTo(200);
    }

    @Test
    void codesAreCreatedWithTheKeyOnly() {
        String body = "{\"api_key\": \"" + Upstream.KEY + "\"}";

        assertThat(browser.send(management().POST(BodyPublishers.ofString(body))).statusCode()).isEqualTo(401);
        assertThat(browser.send(management().header("Authorization", "Bearer another-key")
                .POST(BodyPublishers.ofString(body))).statusCode()).isEqualTo(401);
        assertThat(browser.send(management().header("Authorization", "Bearer " + Upstream.SIGN_IN_KEY)
                .POST(BodyPublishers.ofString("[]"))).statusCode()).isEqualTo(400);
    }

    @Test
    void codesAreCreatedAtTheManagementPortOnly() {
        HttpResponse<String> response = browser.send(browser.request("/sign-in-codes")
                .header("Authorization", "Bearer " + Upstream.SIGN_IN_KEY)
                .POST(BodyPublishers.ofString("{\"api_key\": \"" + Upstream.KEY + "\"}")));

        assertThat(response.statusCode()).isIn(404, 405);
    }

    private String createCode() {
        HttpResponse<String> response = browser.send(management().header("Authorization", "Bearer " + Upstream.SIGN_IN_KEY)
                .POST(BodyPublishers.ofString("{\"api_key\": \"" + Upstream.KEY + "\"}")));
        assertThat(response.statusCode()).isEqualTo(200);
        return new JsonObject(response.body()).getString("code");
    }

    private static HttpRequest.Builder management() {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + Management.port() + "/sign-in-codes"))
                .header("Content-Type", "application/json");
    }
}
