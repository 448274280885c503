package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.stack.StackException;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.local.tour.Deployer;
import dev.waybill.local.tour.SourceRepository;

/** The packaged console in front of the packaged services. */
class ConsoleIT {

    private static final RunningStack RUNNING = RunningStack.get();
    private static final String KEY = RUNNING.stack.secrets().apiKey();
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Pattern COOKIE = Pattern.compile("set-cookie=\\[(waybill=[^;\\]]*)");
    private static final String SAME_ORIGIN = "same-origin";

    private static ServiceProcess exports;
    private static ServiceProcess console;

    private final Http http = new Http();
    private String cookie = "";

    @BeforeAll
    static void startConsole() {
        // A replica that a test can stop while other tests use the stack's own.
        exports = RUNNING.stack.add(Replica.of(ServiceKind.EXPORT, "export-service-of-console"));
        exports.start();
        console = RUNNING.stack.add(Replica.of(ServiceKind.CONSOLE, "console-of-test")
                .property("waybill.console.export-url", exports.address().toString()));
        console.start();
        exports.awaitReady();
        console.awaitReady();
    }

    @AfterAll
    static void stopConsole() {
        console.stop();
        exports.stop();
    }

    @ParameterizedTest
    @CsvSource({ "/v1/whoami, control-plane", "/api/v1/bulk-exports, export-service", "/api/v1/sessions, experiment-service" })
    void passesRequestsToEachService(String path, String service) {
        // Given
        assertThat(get(path).status()).isEqualTo(401);
        signIn();

        // When
        Http.Response response = get(path);

        // Then
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        assertThat(response.headers()).contains("x-waybill-service=[" + service + "]", "x-request-id=[");
    }

    @ParameterizedTest
    @ValueSource(strings = { "/v1/organizations", "/api/v1/otel/v1/traces", "/q/metrics", "/run/127.0.0.1/ok",
            "/sign-in-codes" })
    void otherPathsAreRejected(String path) {
        signIn();

        assertThat(get(path).status()).isIn(400, 404);
    }

    @Test
    void changesOfOtherSitesAreRejected() {
        // Given
        signIn();
        String body = "{\"name\": \"" + UUID.randomUUID() + "\"}";

        // When
        Http.Response form = http.send(request("/api/v1/sessions").header("Sec-Fetch-Site", "cross-site")
                .POST(BodyPublishers.ofString(body)).build());
        Http.Response own = change("POST", "/api/v1/sessions", body);

        // Then
        assertThat(form.status()).isEqualTo(403);
        assertThat(own.status()).as(own.body()).isBetween(200, 299);
    }

    @Test
    void streamsEventsOfADeployedApplication() {
        // Given
        UUID deployment = deploy();
        signIn();

        // When
        Http.Response response = change("POST", "/run/" + deployment + "/runs/stream", """
                {"assistant_id": "agent", "stream_mode": "messages-tuple",
                 "input": {"messages": [{"role": "user", "content": "through the console"}]}}""");

        // Then
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        assertThat(response.headers()).contains("text/event-stream");
        assertThat(response.body()).contains("event: metadata", "through", "event: end");
    }

    @Test
    void reportsAStoppedServiceAndRecovers() {
        // Given
        signIn();
        assertThat(get("/api/v1/bulk-exports").status()).isEqualTo(200);

        // When
        exports.stop();
        Http.Response stopped = get("/api/v1/bulk-exports");
        Http.Response other = get("/api/v1/sessions");
        exports.start();
        exports.awaitReady();

        // Then
        assertThat(stopped.status()).isEqualTo(503);
        assertThat(stopped.headers()).contains("retry-after=[5]", "application/problem+json");
        assertThat(stopped.json().path("service").textValue()).isEqualTo("export-service");
        assertThat(other.status()).isEqualTo(200);
        await().atMost(TIMEOUT).until(() -> get("/api/v1/bulk-exports").status() == 200);
    }

    @Test
    void oneTimeAddressSignsInOnce() {
        // When
        String code = createCode();
        Http.Response first = change("POST", "/session", "{\"code\": \"" + code + "\"}");
        Http.Response second = change("POST", "/session", "{\"code\": \"" + code + "\"}");

        // Then
        assertThat(first.status()).as(first.body()).isEqualTo(200);
        assertThat(cookie(first)).startsWith("waybill=");
        assertThat(second.status()).isEqualTo(401);
        assertThat(second.headers()).doesNotContain("set-cookie");
    }

    @Test
    void logAndResponsesContainNoSecrets() throws IOException {
        // When
        signIn();
        get("/v1/whoami");
        get("/api/v1/unknown?api_key=" + KEY);
        String code = createCode();
        change("POST", "/session", "{\"code\": \"" + code + "\"}");
        change("POST", "/session", "{\"code\": \"" + code + "\"}");
        change("POST", "/session", "{\"api_key\": \"" + KEY + "x\"}");

        // Then
        List<String> secrets = List.of(KEY, code, cookie, RUNNING.stack.secrets().signInKey());
        String log = Files.readString(console.log(), StandardCharsets.ISO_8859_1);
        String process = Files.readString(Path.of("/proc", Long.toString(console.pid()), "cmdline"),
                StandardCharsets.ISO_8859_1);
        assertThat(log).contains("a session was started");
        assertThat(secrets).allSatisfy(secret -> assertThat(log).doesNotContain(secret));
        assertThat(secrets).allSatisfy(secret -> assertThat(process).doesNotContain(secret));
        assertThat(http.responses()).noneMatch(response -> response.body().contains(KEY) || response.headers().contains(KEY));
    }

    /** Codes exist in local stacks only. */
    @Test
    void consoleWithoutSignInKeyHasNoCodes() {
        // Given
        ServiceProcess other = RUNNING.stack
                .add(Replica.of(ServiceKind.CONSOLE, "console-without-codes").property("waybill.console.sign-in-key", ""));
        other.start();
        other.awaitReady();

        // When
        Http.Response created = http.send(codeRequest(other));
        Http.Response redeemed = http.send(HttpRequest.newBuilder(other.address().resolve("/session"))
                .header("X-Waybill-Console", "1").header("Sec-Fetch-Site", SAME_ORIGIN)
                .POST(BodyPublishers.ofString("{\"code\": \"0123456789012345678901234567890123456789012\"}")).build());

        // Then
        assertThat(created.status()).isEqualTo(404);
        assertThat(redeemed.status()).isEqualTo(400);
        other.stop();
    }

    @ParameterizedTest
    @CsvSource({ "a-key-of-a-local-stack, AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=, waybill.console.sign-in-key",
            "'', '', waybill.console.session.key" })
    void unsafeSettingsAreRejectedOnOtherAddresses(String signInKey, String sessionKey, String property) throws IOException {
        // Given
        ServiceProcess unsafe = RUNNING.stack.add(Replica.of(ServiceKind.CONSOLE, "console-unsafe-" + property.length())
                .property("quarkus.http.host", "0.0.0.0").property("quarkus.management.host", "127.0.0.1")
                .property("waybill.startup.behind-proxy", "true").property("waybill.net.allow-http", "false")
                .property("waybill.net.allowed-ranges", "").property("waybill.console.session.key", sessionKey)
                .property("waybill.console.sign-in-key", signInKey));

        // When
        unsafe.start();

        // Then
        assertThatThrownBy(unsafe::awaitReady).isInstanceOf(StackException.class).hasMessageContaining("exited during startup");
        assertThat(Files.readString(unsafe.log())).contains(property + " is ");
        unsafe.stop();
    }

    private void signIn() {
        Http.Response response = change("POST", "/session", "{\"api_key\": \"" + KEY + "\"}");
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        cookie = cookie(response);
    }

    private static String cookie(Http.Response response) {
        Matcher found = COOKIE.matcher(response.headers());
        assertThat(found.find()).as(response.headers()).isTrue();
        return found.group(1);
    }

    private Http.Response get(String path) {
        return http.send(request(path).GET().build());
    }

    /** Sends a change as the pages do. */
    private Http.Response change(String method, String path, String body) {
        return http.send(request(path).header("X-Waybill-Console", "1").header("Sec-Fetch-Site", SAME_ORIGIN)
                .header("Content-Type", "application/json").method(method, BodyPublishers.ofString(body)).build());
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(console.address() + path)).timeout(TIMEOUT);
        return cookie.isEmpty() ? request : request.header("Cookie", cookie);
    }

    private String createCode() {
        Http.Response response = http.send(codeRequest(console));
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        return response.json().required("code").textValue();
    }

    private static HttpRequest codeRequest(ServiceProcess process) {
        return HttpRequest.newBuilder(process.managementAddress().resolve("/sign-in-codes"))
                .header("Authorization", "Bearer " + RUNNING.stack.secrets().signInKey())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"api_key\": \"" + KEY + "\"}")).build();
    }

    private static UUID deploy() {
        Deployer deployer = new Deployer(RUNNING.client, RUNNING.address(ServiceKind.CONTROL_PLANE));
        try (SourceRepository repository = SourceRepository.in(RUNNING.directory.resolve("repositories/console.git"))) {
            repository.commit(SourceRepository.files(StackSettings.sampleApplication(RunningStack.root())),
                    "The sample application");
            deployer.deploy("console-application", repository, _ -> {
            });
        }
        return deployer.client().listDeployments(1, "console-application", null, null, null).resources().getFirst().id();
    }
}
