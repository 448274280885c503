package dev.waybill.console.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.console.Browser;
import dev.waybill.console.Upstream;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;

/** Sign-in by OpenID Connect while the issuer does not run; OpenIdConnectIT has one. */
@QuarkusTest
@TestProfile(OidcTest.IssuerAway.class)
@QuarkusTestResource(Upstream.class)
class OidcTest {

    private static final String SECRET = "secret-of-the-console-at-the-issuer";

    @TestHTTPResource
    URI address;

    private Browser browser;

    public static final class IssuerAway implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            try (ServerSocket closed = new ServerSocket(0)) {
                return Map.of("waybill.console.oidc.issuer", "http://127.0.0.1:" + closed.getLocalPort(),
                        "waybill.console.oidc.client-id", "waybill-console", "waybill.console.oidc.client-secret", SECRET,
                        "quarkus.http.proxy.proxy-address-forwarding", "true",
                        "quarkus.http.proxy.enable-forwarded-host", "true");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @BeforeEach
    void openBrowser() {
        browser = new Browser(address);
    }

    @Test
    void signInPageOffersSingleSignOn() {
        assertThat(browser.send(browser.request("/session/options")).body()).isEqualTo("{\"single_sign_on\":true}");
    }

    @Test
    void unreachableIssuerIsReportedOnTheSignInPage() {
        HttpResponse<String> response = browser.send(browser.foreign("/session/oidc?return=%2Fw%2F1%3Fa%3Db"));

        assertThat(response.statusCode()).isEqualTo(302);
        assertThat(response.headers().firstValue("Location"))
                .contains("/sign-in?error=issuer-unavailable&return=%2Fw%2F1%3Fa%3Db");
        assertThat(response.headers().map().toString()).doesNotContain(SECRET, "set-cookie");
        assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(browser.send(browser.foreign("/sign-in?error=issuer-unavailable")).statusCode()).isEqualTo(200);
    }

    @Test
    void keysAreAcceptedWithoutTheIssuer() {
        assertThat(browser.signIn(Upstream.KEY).statusCode()).isEqualTo(200);
        assertThat(browser.send(browser.request("/api/v1/runs/echo")).statusCode()).isEqualTo(200);
    }

    @Test
    void responseWithoutRequestOfThisBrowserIsRejected() {
        for (String query : new String[] { "code=a&state=b", "code=a", "state=b", "error=access_denied&state=b" }) {
            HttpResponse<String> response = browser.send(browser.foreign("/session/oidc?" + query));
            assertThat(response.headers().firstValue("Location")).as(query).contains("/sign-in?error=sign-in-rejected");
        }
    }

    @Test
    void httpIsRejectedOnOtherHosts() {
        HttpRequest.Builder request = browser.foreign("/session/oidc").header("X-Forwarded-Host", "waybill.example.com");

        HttpResponse<String> response = browser.send(request);

        assertThat(response.headers().firstValue("Location")).contains("/sign-in?error=https-required");
    }

    @Test
    void bearerTokensOfRequestsAreIgnored() {
        assertThat(browser.send(browser.request("/session").header("Authorization", "Bearer a.b.c")).statusCode())
                .isEqualTo(401);
        assertThat(browser.send(browser.request("/api/v1/runs/echo").header("Authorization", "Bearer a.b.c")).statusCode())
                .isEqualTo(401);
    }
}
