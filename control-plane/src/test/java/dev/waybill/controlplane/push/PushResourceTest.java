package dev.waybill.controlplane.push;

import static dev.waybill.controlplane.Client.anonymous;
import static dev.waybill.controlplane.Client.as;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.Answer;
import dev.waybill.controlplane.deployment.Deployments;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

/** contract.md "Deployment management", push webhook. */
@QuarkusTest
class PushResourceTest {

    private static final String WEBHOOK = "/v1/integrations/repohost/webhook";

    private final Account account = Deployments.account();
    private final String base = "https://git.example.com/" + UUID.randomUUID();
    private UUID integration;
    private UUID deployment;
    private String secret;

    @BeforeEach
    void aDeploymentThatIsBuiltOnPush() {
        Answer registered = as(account).post("/v1/integrations/repohost/install",
                "{\"installation_id\": 42, \"name\": \"acme\", \"base_url\": \"" + base + "\"}");
        secret = registered.text("webhook_secret");
        integration = registered.id();
        deployment = Deployments.create(account, """
                {"name": "%s", "source": "github",
                 "source_config": {"integration_id": "%s", "repo_url": "%s/agent", "build_on_push": true},
                 "source_revision_config": {"repo_ref": "main"}}"""
                .formatted(Deployments.newName(), integration, base), 201).id();
    }

    @Test
    void aPushToTheBranchMakesARevisionOnce() {
        // Given
        String body = push("/agent.git", "refs/heads/main");
        String delivery = UUID.randomUUID().toString();

        // When
        Answer first = send(body, signature(body, secret), delivery);
        Answer again = send(body, signature(body, secret), delivery);
        Answer underAnotherName = send(body, signature(body, secret), UUID.randomUUID().toString());

        // Then
        assertThat(List.of(first.status(), again.status(), underAnotherName.status())).containsOnly(202);
        assertThat(first.list("deployments", String.class)).containsExactly(deployment.toString());
        assertThat(again.list("deployments", String.class)).isEmpty();
        assertThat(underAnotherName.list("deployments", String.class)).isEmpty();
        assertThat(revisions()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = { "refs/heads/other", "refs/tags/main", "main", "" })
    void aPushToAnythingElseMakesNone(String ref) {
        // When
        String body = push("/agent.git", ref);
        Answer answer = send(body, signature(body, secret), UUID.randomUUID().toString());

        // Then
        assertThat(answer.status()).isEqualTo(202);
        assertThat(revisions()).hasSize(1);
    }

    @Test
    void aPushToAnotherRepositoryOfTheAccountMakesNone() {
        // When
        String body = push("/other.git", "refs/heads/main");
        Answer answer = send(body, signature(body, secret), UUID.randomUUID().toString());

        // Then
        assertThat(answer.status()).isEqualTo(202);
        assertThat(revisions()).hasSize(1);
    }

    @Test
    void aWrongSignatureAndAnUnknownRepositoryLookTheSame() {
        // Given
        String known = push("/agent.git", "refs/heads/main");
        String unknown = known.replace(base, "https://git.example.com/nobody");

        // When
        Answer wrong = send(known, signature(known, "guessed"), UUID.randomUUID().toString());
        Answer nobodys = send(unknown, signature(unknown, secret), UUID.randomUUID().toString());
        Answer unsigned = send(known, "sha256=", UUID.randomUUID().toString());

        // Then
        assertThat(List.of(wrong.status(), nobodys.status(), unsigned.status())).containsOnly(401);
        assertThat(wrong.detail()).isEqualTo(nobodys.detail());
        assertThat(revisions()).hasSize(1);
    }

    @Test
    void whatIsNoPushMakesNone() {
        // When
        String body = push("/agent.git", "refs/heads/main");
        Answer ping = Answer.of(anonymous().header("X-GitHub-Event", "ping").header("X-GitHub-Delivery", "1")
                .header("X-Hub-Signature-256", signature(body, secret)).post(WEBHOOK, body).response());
        Answer malformed = send("{", signature("{", secret), UUID.randomUUID().toString());
        String large = "{\"x\": \"" + "x".repeat(3 << 20) + "\"}";

        // Then
        assertThat(ping.status()).isEqualTo(202);
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(send(large, signature(large, secret), "2").status()).isEqualTo(413);
        assertThat(revisions()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({ "https://github.com, https://api.github.com", "https://git.example.com, https://git.example.com/api/v3" })
    void aWebhookOfAnAccountIsGreetedWithoutARepository(String host, String api) {
        // Given
        String name = UUID.randomUUID().toString();
        String its = as(account).post("/v1/integrations/repohost/install",
                "{\"installation_id\": 43, \"name\": \"x\", \"base_url\": \"" + host + "/" + name + "\"}")
                .text("webhook_secret");
        String body = """
                {"zen": "Design for failure.", "hook_id": 7, "hook": {"type": "Organization", "events": ["push"]},
                 "organization": {"login": "%2$s", "id": 1, "url": "%1$s/orgs/%2$s"}}""".formatted(api, name);

        // When
        Answer known = ping(body, its);
        Answer guessed = ping(body, "guessed");
        Answer elsewhere = ping(body.replace(name, UUID.randomUUID().toString()), its);

        // Then
        assertThat(known.status()).isEqualTo(202);
        assertThat(known.list("deployments", String.class)).isEmpty();
        assertThat(List.of(guessed.status(), elsewhere.status())).containsOnly(401);
        assertThat(guessed.detail()).isEqualTo(elsewhere.detail());
    }

    @Test
    void textThatNoDatabaseKeepsIsNobodysRepository() {
        // When
        String body = push("/agent.git\\u0000", "refs/heads/main\\u0000");
        Answer push = send(body, signature(body, secret), UUID.randomUUID().toString());
        Answer ping = ping("{\"organization\": {\"url\": \"https://api.github.com/orgs/a\\u0000\"}}", secret);

        // Then
        assertThat(List.of(push.status(), ping.status())).containsOnly(401);
        assertThat(revisions()).hasSize(1);
    }

    private static Answer ping(String body, String secret) {
        return anonymous().header("X-GitHub-Event", "ping").header("X-GitHub-Delivery", UUID.randomUUID().toString())
                .header("X-Hub-Signature-256", signature(body, secret)).post(WEBHOOK, body);
    }

    @ParameterizedTest
    @ValueSource(strings = { "create", "delete", "pull_request", "workflow_run" })
    void otherEventsOfTheBranchMakeNone(String event) {
        // When
        String body = push("/agent.git", "refs/heads/main");
        Answer answer = anonymous().header("X-GitHub-Event", event).header("X-GitHub-Delivery", UUID.randomUUID().toString())
                .header("X-Hub-Signature-256", signature(body, secret)).post(WEBHOOK, body);

        // Then
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.list("deployments", String.class)).isEmpty();
        assertThat(revisions()).hasSize(1);
    }

    @Test
    void theEndOfTheBranchMakesNone() {
        // When
        String body = push("/agent.git", "refs/heads/main").replaceFirst("\\{", "{\"deleted\": true, ");
        Answer answer = send(body, signature(body, secret), UUID.randomUUID().toString());

        // Then
        assertThat(answer.status()).isEqualTo(202);
        assertThat(revisions()).hasSize(1);
    }

    @Test
    void aTagOfTheBranchsNameIsNotTheBranchAndAPushedTagBuildsNothing() {
        // Given
        UUID ofATag = Deployments.create(account, """
                {"name": "%s", "source": "github",
                 "source_config": {"integration_id": "%s", "repo_url": "%s/agent", "build_on_push": true},
                 "source_revision_config": {"repo_ref": "refs/tags/v1"}}"""
                .formatted(Deployments.newName(), integration, base), 201).id();

        // When
        List<Answer> answers = List.of("refs/tags/v1", "refs/heads/v1", "refs/tags/main").stream()
                .map(ref -> push("/agent.git", ref))
                .map(body -> send(body, signature(body, secret), UUID.randomUUID().toString())).toList();

        // Then
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.list("deployments", String.class)).isEmpty();
        });
        assertThat(revisionsOf(ofATag)).hasSize(1);
    }

    @Test
    void afterAFloodOfWhatNobodySignedAPushIsTaken() throws Exception {
        // Given
        String body = push("/agent.git", "refs/heads/main").replaceFirst("\\{", "{\"x\": \"" + "x".repeat(100_000) + "\", ");
        String wrong = signature(body, "guessed");

        // When
        List<Answer> flood;
        try (ExecutorService senders = Executors.newFixedThreadPool(20)) {
            Callable<Answer> one = () -> send(body, wrong, UUID.randomUUID().toString());
            flood = senders.invokeAll(Collections.nCopies(200, one)).stream()
                    .map(Future::resultNow).toList();
        }
        Answer good = send(body, signature(body, secret), UUID.randomUUID().toString());

        // Then
        assertThat(flood).extracting(Answer::status).containsOnly(401);
        assertThat(good.list("deployments", String.class)).containsExactly(deployment.toString());
        assertThat(revisions()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = { WEBHOOK, WEBHOOK + ";a=b", "/v1;a=b/integrations/repohost/webhook", WEBHOOK + "/",
            "/v1/integrations/./repohost/%77ebhook" })
    void bodiesThatAreBeingSentByNobodyKnownFillNoMemory(String spelled) throws IOException {
        // Given: as much as is held at once, announced and never sent
        List<Socket> senders = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                senders.add(announcing(spelled, 2 << 20));
            }

            // When
            Answer refused = Patience.await().until(this::another, answer -> answer.status() == 429);

            // Then
            assertThat(refused.header("Retry-After")).isEqualTo("5");
            assertThat(refused.detail()).contains("send this one again");
        } finally {
            for (Socket sender : senders) {
                sender.close();
            }
        }
        Patience.await().untilAsserted(() -> assertThat(another().status()).isEqualTo(202));
    }

    private Answer another() {
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

    private String push(String repository, String ref) {
        return """
                {"ref": "%s", "after": "%s", "installation": {"id": 42},
                 "repository": {"full_name": "acme/agent", "clone_url": "%s%s"}}"""
                .formatted(ref, UUID.randomUUID(), base, repository);
    }

    private static Answer send(String body, String signature, String delivery) {
        return anonymous().header("X-GitHub-Event", "push").header("X-GitHub-Delivery", delivery)
                .header("X-Hub-Signature-256", signature).post(WEBHOOK, body);
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
