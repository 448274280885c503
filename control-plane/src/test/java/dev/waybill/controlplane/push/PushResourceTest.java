package dev.waybill.controlplane.push;

import static dev.waybill.controlplane.ApiClient.anonymous;
import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.deployment.Deployments;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

/** Push webhooks (contract.md "Deployment management"). */
@QuarkusTest
class PushResourceTest {

    /** U+0000 as an escape of JSON. */
    private static final String NUL = "\\u0000";
    private static final String OF_INSTALLATIONS = "/v1/integrations/repohost/webhook";

    private final Account account = Deployments.account();
    private final String base = "https://git.example.com/" + UUID.randomUUID();
    private UUID integration;
    private UUID deployment;
    private String secret;
    private String webhook;

    @BeforeEach
    void createDeploymentBuiltOnPush() {
        HttpResult registered = as(account).post("/v1/integrations/repohost/install",
                "{\"installation_id\": 42, \"name\": \"acme\", \"base_url\": \"" + base + "\"}");
        secret = registered.text("webhook_secret");
        integration = registered.id();
        webhook = registered.text("webhook_path");
        deployment = deploy(integration, base);
    }

    @Test
    void pushToBranchCreatesOneRevision() {
        // Given
        String body = push("/agent.git", "refs/heads/main");
        String delivery = UUID.randomUUID().toString();

        // When
        HttpResult first = send(body, signature(body, secret), delivery);
        HttpResult again = send(body, signature(body, secret), delivery);
        HttpResult underAnotherName = send(body, signature(body, secret), UUID.randomUUID().toString());

        // Then
        assertThat(List.of(first.status(), again.status(), underAnotherName.status())).containsOnly(202);
        assertThat(first.list("deployments", String.class)).containsExactly(deployment.toString());
        assertThat(again.list("deployments", String.class)).isEmpty();
        assertThat(underAnotherName.list("deployments", String.class)).isEmpty();
        assertThat(revisions()).hasSize(2);
    }

    @Test
    void deliveriesAreListedWithTheirResults() {
        // Given
        String body = push("/agent.git", "refs/heads/main");
        send(body, signature(body, secret), "first");
        send(body, signature(body, secret), "first");
        String other = push("/agent.git", "refs/heads/other" + NUL);
        send(other, signature(other, secret), "second");
        send(body, signature(body, "another secret"), "third");

        // When
        HttpResult listed = as(account).get("/v1/integrations/repohost/" + integration + "/deliveries");

        // Then
        assertThat(listed.status()).as(listed.body()).isEqualTo(200);
        assertThat(listed.list("resources.id", String.class)).containsExactly("second", "first");
        assertThat(listed.list("resources.ref", String.class)).containsExactly("refs/heads/other ", "refs/heads/main");
        assertThat(listed.list("resources.deployments", List.class))
                .containsExactly(List.of(), List.of(deployment.toString()));
        assertThat(as(Deployments.account()).get("/v1/integrations/repohost/" + integration + "/deliveries").status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = { "refs/heads/other", "refs/tags/main", "main", "" })
    void pushToOtherRefCreatesNoRevision(String ref) {
        // When
        String body = push("/agent.git", ref);
        HttpResult response = send(body, signature(body, secret), UUID.randomUUID().toString());

        // Then
        assertThat(response.status()).isEqualTo(202);
        assertThat(revisions()).hasSize(1);
    }

    @Test
    void pushToOtherRepositoryCreatesNoRevision() {
        // When
        String body = push("/other.git", "refs/heads/main");
        HttpResult response = send(body, signature(body, secret), UUID.randomUUID().toString());

        // Then
        assertThat(response.status()).isEqualTo(202);
        assertThat(revisions()).hasSize(1);
    }

    @Test
    @Tag("full")
    void manyIntegrationsOfOtherWorkspaceHideNone() {
        // Given: more older integrations than the maximum number of candidates
        String contested = "https://git.example.com/" + UUID.randomUUID();
        Account other = Accounts.account().plan("enterprise").create();
        for (int i = 0; i < 60; i++) {
            register(other, i, contested);
        }
        HttpResult registered = register(account, 42, contested);
        UUID its = deploy(registered.id(), contested);

        // When
        String first = push(contested, "/agent.git", "refs/heads/main");
        String second = push(contested, "/agent.git", "refs/heads/main");
        String key = registered.text("webhook_secret");
        HttpResult own = sendTo(registered.text("webhook_path"), first, signature(first, key), "1");
        HttpResult ofInstallation = sendTo(OF_INSTALLATIONS, second, signature(second, key), "2");

        // Then
        assertThat(own.list("deployments", String.class)).as(own.body()).containsExactly(its.toString());
        assertThat(ofInstallation.list("deployments", String.class)).as(ofInstallation.body())
                .containsExactly(its.toString());
    }

    @Test
    @Tag("full")
    void manyWorkspacesOfOtherOrganizationHideNone() {
        // Given: more workspaces than the maximum number of candidates, each with every parent URL of the repository
        String contested = "https://git.example.com/" + UUID.randomUUID();
        Account other = Accounts.account().create();
        for (int i = 0; i < 60; i++) {
            Account neighbour = Accounts.account().inOrganizationOf(other).create();
            register(neighbour, 42, contested);
            register(neighbour, 42, contested + "/agent");
        }
        HttpResult registered = register(account, 42, contested);
        UUID its = deploy(registered.id(), contested);

        // When
        String body = push(contested, "/agent.git", "refs/heads/main");
        HttpResult response = sendTo(OF_INSTALLATIONS, body, signature(body, registered.text("webhook_secret")), "1");

        // Then
        assertThat(response.list("deployments", String.class)).as(response.body()).containsExactly(its.toString());
    }

    @Test
    void pushWithoutInstallationNeedsIntegrationPath() {
        // Given
        String body = push("/agent.git", "refs/heads/main").replace("\"installation\": {\"id\": 42},", "");

        // When
        HttpResult shared = sendTo(OF_INSTALLATIONS, body, signature(body, secret), UUID.randomUUID().toString());
        HttpResult own = send(body, signature(body, secret), UUID.randomUUID().toString());

        // Then
        assertThat(shared.status()).isEqualTo(401);
        assertThat(shared.detail()).contains("installation.id").contains("webhook_path");
        assertThat(own.list("deployments", String.class)).containsExactly(deployment.toString());
    }

    @Test
    void onlySecretOfNamedIntegrationIsTried() {
        // Given
        HttpResult beside = register(account, 43, base);
        String body = push("/agent.git", "refs/heads/main");
        String ofBeside = signature(body, beside.text("webhook_secret"));

        // When
        HttpResult wrong = send(body, ofBeside, "1");
        HttpResult unknown = sendTo("/v1/integrations/repohost/" + UUID.randomUUID() + "/webhook", body, ofBeside, "1");
        HttpResult malformed = sendTo("/v1/integrations/repohost/x/webhook", body, ofBeside, "1");

        // Then
        assertThat(List.of(wrong.status(), unknown.status())).containsOnly(401);
        assertThat(wrong.detail()).isEqualTo(unknown.detail());
        assertThat(malformed.status()).isEqualTo(404);
        assertThat(revisions()).hasSize(1);
    }

    @Test
    void replacedSecretIsEffectiveImmediately() {
        // Given
        String renewed = "a-new-secret-of-thirty-two-letters";
        HttpResult short31 = as(account).patch("/v1/integrations/repohost/" + integration,
                "{\"webhook_secret\": \"" + "x".repeat(31) + "\"}");
        HttpResult patched = as(account).patch("/v1/integrations/repohost/" + integration,
                "{\"webhook_secret\": \"" + renewed + "\"}");
        String body = push("/agent.git", "refs/heads/main");

        // When
        HttpResult before = send(body, signature(body, secret), "1");
        HttpResult after = send(body, signature(body, renewed), "2");

        // Then
        assertThat(short31.status()).isEqualTo(422);
        assertThat(patched.status()).isEqualTo(200);
        assertThat(patched.body()).doesNotContain(renewed);
        assertThat(before.status()).isEqualTo(401);
        assertThat(after.list("deployments", String.class)).containsExactly(deployment.toString());
        assertThat(DatabaseInspector.everything("deploy")).noneMatch(row -> row.contains(renewed));
    }

    @Test
    void wrongSignatureAndUnknownRepositoryReturnSame401() {
        // Given
        String known = push("/agent.git", "refs/heads/main");
        String unknown = known.replace(base, "https://git.example.com/nobody");

        // When
        HttpResult wrong = sendTo(OF_INSTALLATIONS, known, signature(known, "guessed"), UUID.randomUUID().toString());
        HttpResult unknownRepository = sendTo(OF_INSTALLATIONS, unknown, signature(unknown, secret),
                UUID.randomUUID().toString());
        HttpResult unsigned = sendTo(OF_INSTALLATIONS, known, "sha256=", UUID.randomUUID().toString());

        // Then
        assertThat(List.of(wrong.status(), unknownRepository.status(), unsigned.status())).containsOnly(401);
        assertThat(wrong.detail()).isEqualTo(unknownRepository.detail());
        assertThat(revisions()).hasSize(1);
    }

    @Test
    void malformedPushCreatesNoRevision() {
        // When
        String body = push("/agent.git", "refs/heads/main");
        HttpResult ping = HttpResult.of(anonymous().header("X-GitHub-Event", "ping").header("X-GitHub-Delivery", "1")
                .header("X-Hub-Signature-256", signature(body, secret)).post(webhook, body).response());
        HttpResult malformed = send("{", signature("{", secret), UUID.randomUUID().toString());
        String large = "{\"x\": \"" + "x".repeat(3 << 20) + "\"}";

        // Then
        assertThat(ping.status()).isEqualTo(202);
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(send(large, signature(large, secret), "2").status()).isEqualTo(413);
        assertThat(revisions()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({ "https://github.com, https://api.github.com", "https://git.example.com, https://git.example.com/api/v3" })
    void accountPingWithoutRepositoryIsAccepted(String host, String api) {
        // Given
        String name = UUID.randomUUID().toString();
        HttpResult registered = register(account, 43, host + "/" + name);
        String its = registered.text("webhook_secret");
        String body = """
                {"zen": "Design for failure.", "hook_id": 7, "installation": {"id": 43}, "hook": {"type": "Organization", "events": ["push"]},
                 "organization": {"login": "%2$s", "id": 1, "url": "%1$s/orgs/%2$s"}}"""
                .formatted(api, name);

        // When
        HttpResult own = ping(registered.text("webhook_path"), "{}", its);
        HttpResult known = ping(OF_INSTALLATIONS, body, its);
        HttpResult guessed = ping(OF_INSTALLATIONS, body, "guessed");
        HttpResult elsewhere = ping(OF_INSTALLATIONS, body.replace(name, UUID.randomUUID().toString()), its);

        // Then
        assertThat(List.of(own.status(), known.status())).containsOnly(202);
        assertThat(known.list("deployments", String.class)).isEmpty();
        assertThat(List.of(guessed.status(), elsewhere.status())).containsOnly(401);
        assertThat(guessed.detail()).isEqualTo(elsewhere.detail());
    }

    @Test
    void repositoryUrlWithNulMatchesNoIntegration() {
        // When
        String body = push("/agent.git\\u0000", "refs/heads/main\\u0000");
        HttpResult push = sendTo(OF_INSTALLATIONS, body, signature(body, secret), UUID.randomUUID().toString());
        HttpResult ping = ping(OF_INSTALLATIONS, """
                {"installation": {"id": 42}, "organization": {"url": "https://api.github.com/orgs/a\\u0000"}}""", secret);
        HttpResult own = send(body, signature(body, secret), UUID.randomUUID().toString());

        // Then
        assertThat(List.of(push.status(), ping.status())).containsOnly(401);
        assertThat(own.list("deployments", String.class)).isEmpty();
        assertThat(revisions()).hasSize(1);
    }

    private static HttpResult ping(String path, String body, String secret) {
        return anonymous().header("X-GitHub-Event", "ping").header("X-GitHub-Delivery", UUID.randomUUID().toString())
                .header("X-Hub-Signature-256", signature(body, secret)).post(path, body);
    }

    @ParameterizedTest
    @ValueSource(strings = { "create", "delete", "pull_request", "workflow_run" })
    void otherEventTypesCreateNoRevision(String event) {
        // When
        String body = push("/agent.git", "refs/heads/main");
        HttpResult response = anonymous().header("X-GitHub-Event", event)
                .header("X-GitHub-Delivery", UUID.randomUUID().toString())
                .header("X-Hub-Signature-256", signature(body, secret)).post(webhook, body);

        // Then
        assertThat(response.status()).isEqualTo(202);
        assertThat(response.list("deployments", String.class)).isEmpty();
        assertThat(revisions()).hasSize(1);
    }

    @Test
    void branchDeletionCreatesNoRevision() {
        // When
        String body = push("/agent.git", "refs/heads/main").replaceFirst("\\{", "{\"deleted\": true, ");
        HttpResult response = send(body, signature(body, secret), UUID.randomUUID().toString());

        // Then
        assertThat(response.status()).isEqualTo(202);
        assertThat(revisions()).hasSize(1);
    }

    @Test
    void pushedTagCreatesNoRevision() {
        // Given
        UUID ofATag = Deployments.create(account, """
                {"name": "%s", "source": "github",
                 "source_config": {"integration_id": "%s", "repo_url": "%s/agent", "build_on_push": true},
                 "source_revision_config": {"repo_ref": "refs/tags/v1"}}"""
                .formatted(Deployments.newName(), integration, base), 201).id();

        // When
        List<HttpResult> responses = List.of("refs/tags/v1", "refs/heads/v1", "refs/tags/main").stream()
                .map(ref -> push("/agent.git", ref))
                .map(body -> send(body, signature(body, secret), UUID.randomUUID().toString())).toList();

        // Then
        assertThat(responses).allSatisfy(response -> {
            assertThat(response.status()).isEqualTo(202);
            assertThat(response.list("deployments", String.class)).isEmpty();
        });
        assertThat(revisionsOf(ofATag)).hasSize(1);
    }

    @Test
    @Tag("full")
    void pushIsAcceptedAfterFloodOfUnsignedRequests() throws Exception {
        // Given
        String body = push("/agent.git", "refs/heads/main").replaceFirst("\\{", "{\"x\": \"" + "x".repeat(100_000) + "\", ");
        String wrong = signature(body, "guessed");

        // When
        List<HttpResult> flood;
        try (ExecutorService uploads = Executors.newFixedThreadPool(20)) {
            Callable<HttpResult> one = () -> send(body, wrong, UUID.randomUUID().toString());
            flood = uploads.invokeAll(Collections.nCopies(200, one)).stream()
                    .map(Future::resultNow).toList();
        }
        HttpResult good = send(body, signature(body, secret), UUID.randomUUID().toString());

        // Then
        assertThat(flood).extracting(HttpResult::status).containsOnly(401);
        assertThat(good.list("deployments", String.class)).containsExactly(deployment.toString());
        assertThat(revisions()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = { OF_INSTALLATIONS, OF_INSTALLATIONS + ";a=b", "/v1;a=b/integrations/repohost/webhook",
            OF_INSTALLATIONS + "/", "/v1/integrations/./repohost/%77ebhook", "/v1/integrations/repohost/ID/webhook",
            "/v1/integrations/repohost/ID;a=b/webhook/", "/v1/integrations/repohost/./ID/%77ebhook" })
    void unauthenticatedBodiesAreLimitedInMemory(String path) throws IOException {
        // Given: requests that declare the whole body memory and never send it
        List<Socket> uploads = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                uploads.add(announcing(path.replace("ID", integration.toString()), 2 << 20));
            }

            // When
            HttpResult rejected = Patience.await().until(this::another, response -> response.status() == 429);

            // Then
            assertThat(rejected.header("Retry-After")).isEqualTo("5");
            assertThat(rejected.detail()).contains("retry this one later");
        } finally {
            for (Socket sender : uploads) {
                sender.close();
            }
        }
        Patience.await().untilAsserted(() -> assertThat(another().status()).isEqualTo(202));
    }

    private HttpResult another() {
        String body = push("/agent.git", "refs/heads/other");
        return send(body, signature(body, secret), UUID.randomUUID().toString());
    }

    private static Socket announcing(String path, int bytes) throws IOException {
        Socket sender = new Socket("localhost", RestAssured.port);
        sender.getOutputStream().write(("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nContent-Length: " + bytes + "\r\n\r\n{")
                .getBytes(StandardCharsets.US_ASCII));
        return sender;
    }

    private List<String> revisions() {
        return revisionsOf(deployment);
    }

    private List<String> revisionsOf(UUID deployment) {
        return as(account).get(Deployments.PATH + "/" + deployment + "/revisions").list("resources.id", String.class);
    }

    private static HttpResult register(Account of, int installation, String baseUrl) {
        HttpResult registered = as(of).post("/v1/integrations/repohost/install", "{\"installation_id\": " + installation
                + ", \"name\": \"x\", \"base_url\": \"" + baseUrl + "\"}");
        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        return registered;
    }

    private UUID deploy(UUID integration, String base) {
        return Deployments.create(account, """
                {"name": "%s", "source": "github",
                 "source_config": {"integration_id": "%s", "repo_url": "%s/agent", "build_on_push": true},
                 "source_revision_config": {"repo_ref": "main"}}"""
                .formatted(Deployments.newName(), integration, base), 201).id();
    }

    private String push(String repository, String ref) {
        return push(base, repository, ref);
    }

    private static String push(String base, String repository, String ref) {
        return """
                {"ref": "%s", "after": "%s", "installation": {"id": 42},
                 "repository": {"full_name": "acme/agent", "clone_url": "%s%s"}}"""
                .formatted(ref, UUID.randomUUID(), base, repository);
    }

    private HttpResult send(String body, String signature, String delivery) {
        return sendTo(webhook, body, signature, delivery);
    }

    private static HttpResult sendTo(String path, String body, String signature, String delivery) {
        return anonymous().header("X-GitHub-Event", "push").header("X-GitHub-Delivery", delivery)
                .header("X-Hub-Signature-256", signature).post(path, body);
    }

    private static String signature(String body, String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
