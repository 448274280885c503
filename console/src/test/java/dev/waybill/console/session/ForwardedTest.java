package dev.waybill.console.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.waybill.console.Browser;
import dev.waybill.console.Upstream;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.vertx.core.json.JsonObject;

/** The console behind a proxy that terminates TLS. */
@QuarkusTest
@TestProfile(ForwardedTest.BehindProxy.class)
@QuarkusTestResource(Upstream.class)
class ForwardedTest {

    @TestHTTPResource
    URI address;

    public static final class BehindProxy implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("quarkus.http.proxy.proxy-address-forwarding", "true");
        }
    }

    @Test
    void sessionOverHttpsHasSecureCookie() {
        // Given
        Browser browser = new Browser(address);

        // When
        HttpResponse<String> response = browser.send(https(browser.request("/session")
                .POST(BodyPublishers.ofString("{\"api_key\": \"" + Upstream.KEY + "\"}"))));

        // Then
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Set-Cookie")).hasValueSatisfying(
                cookie -> assertThat(cookie).startsWith("__Host-waybill=").contains("Secure", "Path=/")
                        .doesNotContain("Domain"));
        assertThat(response.headers().firstValue("Strict-Transport-Security")).isPresent();

        browser.setCookie(response.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0]);
        HttpResponse<String> passedOn = browser.send(https(browser.request("/api/v1/runs/echo")));
        assertThat(passedOn.statusCode()).isEqualTo(200);
        JsonObject headers = new JsonObject(passedOn.body()).getJsonObject("headers");
        assertThat(headers.fieldNames()).doesNotContain("x-forwarded-proto", "cookie");
        assertThat(headers.getString("x-forwarded-for")).isEqualTo("203.0.113.7");
        assertThat(browser.send(browser.request("/api/v1/runs/echo")).statusCode()).as("over http").isEqualTo(401);
    }

    @Test
    void healthCheckOfTheImageGetsAResponse() throws IOException {
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.getOutputStream().write("GET /q/health/live HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).startsWith("HTTP/1.0 200 ");
        }
    }

    private static HttpRequest.Builder https(HttpRequest.Builder request) {
        return request.header("X-Forwarded-Proto", "https").header("X-Forwarded-For", "203.0.113.7");
    }
}
