package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.local.client.Json;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;

/** Sign-in by OpenID Connect at the packaged console, with a real issuer, and requests with its tokens to the services. */
class OpenIdConnectIT {

    private static final RunningStack RUNNING = RunningStack.get();
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    static final String CALLBACK = "/session/oidc";
    private static final String REJECTED = "/sign-in?error=sign-in-rejected";
    private static final String UNAVAILABLE = "/sign-in?error=issuer-unavailable";

    private static UUID workspace;
    private static ServiceProcess console;
    private static ServiceProcess other;
    private static Issuer issuer;

    private final CookieBrowser browser = new CookieBrowser();

    @BeforeAll
    static void startConsole() throws IOException, InterruptedException {
        workspace = RUNNING.client.controlPlane(RUNNING.address(ServiceKind.CONTROL_PLANE)).whoami().tenantId();
        console = RUNNING.stack.add(replica("console-with-issuer"));
        other = RUNNING.stack.add(replica("console-before-issuer"));
        console.start();
        other.start();
        console.awaitReady();
        other.awaitReady();
        issuer = startIssuer();
    }

    @AfterAll
    static void stopConsole() {
        issuer.close();
        console.stop();
        other.stop();
    }

    static Replica replica(String name) {
        return Replica.of(ServiceKind.CONSOLE, name).property("waybill.console.oidc.issuer", RunningStack.ISSUER)
                .property("waybill.console.oidc.client-id", Issuer.CLIENT_ID)
                .property("waybill.console.oidc.client-secret", Issuer.CLIENT_SECRET)
                .property("waybill.console.oidc.parameters.resource", RunningStack.AUDIENCE);
    }

    private static Issuer startIssuer() throws IOException, InterruptedException {
        return Issuer.start(workspace, console.address() + CALLBACK + " " + other.address() + CALLBACK);
    }

    @Test
    void tokenOfTheIssuerIsPassedToTheServices() throws IOException {
        // When
        String page = signIn("alice", "/w/" + workspace + "/projects?filter=eq%28name%2C+%22x%22%29");

        // Then
        assertThat(page).isEqualTo("/w/" + workspace + "/projects?filter=eq%28name%2C+%22x%22%29");
        CookieBrowser.Step session = open("/session");
        assertThat(session.status()).as(session.response().body()).isEqualTo(200);
        assertThat(Json.parse(session.response().body()).path("tenant_id").textValue()).isEqualTo(workspace.toString());
        assertThat(Json.parse(session.response().body()).path("role").textValue()).isEqualTo("admin");
        assertThat(open("/api/v1/sessions").status()).isEqualTo(200);
        assertThat(open("/api/v1/bulk-exports").status()).isEqualTo(200);
        CookieBrowser.Step created = browser.change(at("/api/v1/sessions"), "POST",
                "{\"name\": \"" + UUID.randomUUID() + "\"}");
        assertThat(created.status()).as(created.response().body()).isBetween(200, 299);
        assertThat(browser.cookieNames()).contains("waybill").noneMatch(name -> name.startsWith("q_"));
        assertThat(Files.readString(console.log())).contains("a session was started by OpenID Connect")
                .doesNotContain(Issuer.CLIENT_SECRET, "eyJ");
    }

    @Test
    void signOutEndsTheSessionOfTheConsole() {
        // Given
        signIn("alice", "/");

        // When
        assertThat(browser.change(at("/session"), "DELETE", "").status()).isEqualTo(204);

        // Then
        assertThat(open("/session").status()).isEqualTo(401);
        assertThat(open("/api/v1/sessions").status()).isEqualTo(401);
    }

    @Test
    void authorizationRequestHasStateNonceAndChallenge() {
        // When
        URI address = open(CALLBACK).location();

        // Then
        assertThat(address.toString()).startsWith(RunningStack.ISSUER + "/auth?").doesNotContain(Issuer.CLIENT_SECRET);
        Map<String, String> parameters = CookieBrowser.parameters(address);
        assertThat(parameters).containsEntry("response_type", "code").containsEntry("client_id", Issuer.CLIENT_ID)
                .containsEntry("code_challenge_method", "S256").containsEntry("scope", "openid")
                .containsEntry("redirect_uri", console.address() + CALLBACK)
                .containsEntry("resource", RunningStack.AUDIENCE);
        assertThat(parameters.get("code_challenge")).hasSize(43);
        assertThat(parameters.get("state")).hasSizeGreaterThan(20);
        assertThat(parameters.get("nonce")).hasSizeGreaterThan(20);
    }

    @Test
    void signInAfterAnAbandonedOneStartsAgain() {
        // Given
        Map<String, String> abandoned = CookieBrowser.parameters(open(CALLBACK).location());

        // When
        Map<String, String> second = CookieBrowser.parameters(open(CALLBACK).location());

        // Then
        for (String parameter : List.of("state", "nonce", "code_challenge")) {
            assertThat(second.get(parameter)).as(parameter).isNotBlank().isNotEqualTo(abandoned.get(parameter));
        }
        assertThat(signIn("alice", "/w/" + workspace)).isEqualTo("/w/" + workspace);
    }

    @Test
    void wrongStateIsRejected() {
        // When
        URI callback = authorize(open(CALLBACK).location());
        CookieBrowser.Step changed = browser.open(CookieBrowser.with(callback, "state", UUID.randomUUID().toString()));
        CookieBrowser.Step missing = browser.open(URI.create(callback.toString().replaceFirst("[?&]state=[^&]*", "?x=y")));

        // Then
        assertRejected(changed);
        assertRejected(missing);
    }

    @Test
    void responseToAnotherBrowserIsRejected() {
        // When
        URI callback = authorize(open(CALLBACK).location());

        // Then
        try (CookieBrowser victim = new CookieBrowser()) {
            CookieBrowser.Step step = victim.open(callback);
            assertThat(step.location()).isEqualTo(at(REJECTED));
            assertThat(victim.cookieNames()).isEmpty();
        }
    }

    @Test
    void replayedCodeIsRejected() {
        // Given
        URI callback = authorize(open(CALLBACK).location());
        String code = CookieBrowser.parameters(callback).get("code");
        assertThat(browser.open(callback).location()).isEqualTo(at(CALLBACK));

        // When
        try (CookieBrowser second = new CookieBrowser()) {
            CookieBrowser.Step again = second.open(callback);
            String state = CookieBrowser.parameters(second.open(at(CALLBACK)).location()).get("state");
            CookieBrowser.Step withOwnState = second.open(at(CALLBACK + "?code=" + code + "&state=" + state));

            // Then
            assertThat(again.location()).isEqualTo(at(REJECTED));
            assertThat(withOwnState.location()).isEqualTo(at(REJECTED));
            assertThat(second.open(at("/session")).status()).isEqualTo(401);
        }
    }

    /** A code that an attacker obtained for the own browser, injected with a valid state of the victim. */
    @Test
    void codeOfAnotherRequestIsRejected() {
        // Given
        URI callback = authorize(open(CALLBACK).location());
        String code = CookieBrowser.parameters(callback).get("code");

        // When
        try (CookieBrowser victim = new CookieBrowser()) {
            String state = CookieBrowser.parameters(victim.open(at(CALLBACK)).location()).get("state");
            CookieBrowser.Step step = victim.open(at(CALLBACK + "?code=" + code + "&state=" + state));

            // Then
            assertThat(step.location()).isEqualTo(at(REJECTED));
            assertThat(victim.cookieNames()).doesNotContain("waybill");
        }
    }

    @Test
    void codeWithoutVerifierIsUseless() throws IOException, InterruptedException {
        // Given
        URI callback = authorize(open(CALLBACK).location());
        String code = CookieBrowser.parameters(callback).get("code");

        // When
        HttpResponse<String> withoutVerifier = token(code);

        // Then
        assertThat(withoutVerifier.statusCode()).as(withoutVerifier.body()).isEqualTo(400);
        assertThat(withoutVerifier.body()).contains("invalid_grant");
    }

    @Test
    void changedNonceIsRejected() {
        // When
        URI callback = authorize(CookieBrowser.with(open(CALLBACK).location(), "nonce", UUID.randomUUID().toString()));

        // Then
        assertRejected(browser.open(callback));
    }

    @Test
    void denialOfTheUserIsReported() {
        // When
        String state = CookieBrowser.parameters(open(CALLBACK).location()).get("state");

        // Then
        assertRejected(open(CALLBACK + "?error=access_denied&state=" + state));
    }

    @ParameterizedTest
    @ValueSource(strings = { "https://example.com/", "//example.com/", "/\\example.com", "/\t/example.com",
            "/w/..//example.com",
            "javascript:alert(1)", "/session/oidc", "/w/1\r\nSet-Cookie: waybill=x", "/w/\\example.com", "w/1", "/w/1#ü" })
    void otherReturnAddressesLeadToTheStartPage(String address) {
        assertThat(signIn("alice", address)).isEqualTo("/");
    }

    @ParameterizedTest
    @CsvSource({ "nobody, no-access", "large, token-too-large" })
    void unusableTokensAreReported(String user, String error) {
        // When
        String page = signIn(user, "/w/" + workspace);

        // Then
        assertThat(page).isEqualTo("/sign-in?error=" + error + "&return=%2Fw%2F" + workspace);
        assertThat(browser.cookieNames()).doesNotContain("waybill").noneMatch(name -> name.startsWith("q_session"));
        assertThat(open("/session").status()).isEqualTo(401);
    }

    @Test
    void sessionEndsWithItsToken() {
        // When
        String page = signIn("brief", "/w/" + workspace);

        // Then
        assertThat(page).isEqualTo("/w/" + workspace);
        await().atMost(TIMEOUT).until(() -> open("/session").status() == 401);
        assertThat(open("/api/v1/sessions").status()).isEqualTo(401);
        assertThat(signIn("brief", "/w/" + workspace + "/projects")).isEqualTo("/w/" + workspace + "/projects");
    }

    @Test
    void consoleWorksWithoutItsIssuer() throws IOException, InterruptedException {
        // Given
        URI late = authorize(open(CALLBACK).location());
        issuer.close();

        // When
        CookieBrowser.Step neverReached = browser.open(other.address().resolve(CALLBACK + "?return=/w/1"));
        CookieBrowser.Step interrupted = browser.open(late);
        CookieBrowser.Step key = browser.change(other.address().resolve("/session"), "POST",
                "{\"api_key\": \"" + RUNNING.stack.secrets().apiKey() + "\"}");
        issuer = startIssuer();

        // Then
        assertThat(neverReached.location()).isEqualTo(other.address().resolve(UNAVAILABLE + "&return=%2Fw%2F1"));
        assertThat(interrupted.location()).isEqualTo(at(UNAVAILABLE));
        assertThat(key.status()).isEqualTo(200);
        try (CookieBrowser later = new CookieBrowser()) {
            assertThat(later.open(other.address().resolve(CALLBACK)).location().toString())
                    .startsWith(RunningStack.ISSUER + "/auth?");
        }
    }

    /** Signs in and returns the path to which the console redirects at the end. */
    private String signIn(String user, String returnTo) {
        URI end = browser.follow(at(CALLBACK + "?return=" + URLEncoder.encode(returnTo, StandardCharsets.UTF_8)), user,
                next -> next.getPort() == console.address().getPort() && !next.getPath().equals(CALLBACK));
        assertThat(end.getAuthority()).isEqualTo(console.address().getAuthority());
        return end.getRawPath() + (end.getRawQuery() == null ? "" : "?" + end.getRawQuery());
    }

    /** Signs in at the issuer and returns the address of its redirect to the console, which is not opened. */
    private URI authorize(URI request) {
        return browser.follow(request, "alice", next -> next.getPath().equals(CALLBACK));
    }

    private void assertRejected(CookieBrowser.Step step) {
        assertThat(step.status()).isEqualTo(302);
        assertThat(step.location()).isEqualTo(at(REJECTED));
        assertThat(browser.cookieNames()).doesNotContain("waybill");
        assertThat(open("/session").status()).isEqualTo(401);
    }

    private CookieBrowser.Step open(String path) {
        return browser.open(at(path));
    }

    private static URI at(String path) {
        return URI.create(console.address() + path);
    }

    private static HttpResponse<String> token(String code) throws IOException, InterruptedException {
        String body = "grant_type=authorization_code&code=" + code + "&redirect_uri="
                + URLEncoder.encode(console.address() + CALLBACK, StandardCharsets.UTF_8);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(RunningStack.ISSUER + "/token"))
                    .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(
                            (Issuer.CLIENT_ID + ":" + Issuer.CLIENT_SECRET).getBytes(StandardCharsets.US_ASCII)))
                    .header("Content-Type", "application/x-www-form-urlencoded").POST(BodyPublishers.ofString(body)).build(),
                    BodyHandlers.ofString());
        }
    }
}
