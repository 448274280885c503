package dev.waybill.controlplane.deployment;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.BuildLog.Stream;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.InMemoryEngine;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;

/** Long polling of revisions and streaming of their logs (contract.md "Deployment management"). */
@QuarkusTest
class RevisionLongPollingTest {

    private final Account account = Deployments.account();
    private final CompletableFuture<Outcome> built = new CompletableFuture<>();
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private UUID deployment;
    private UUID revision;

    @Inject
    InMemoryEngine engine;

    @BeforeEach
    void createRevisionInProgress() {
        String name = Deployments.newName();
        engine.script(name).prepare(step -> {
            step.log().line(Phase.BUILD, Stream.STDOUT, "added 12 packages");
            step.log().line(Phase.BUILD, Stream.STDERR, "1 is out of date");
            return Uni.createFrom().completionStage(built);
        });
        HttpResult created = Deployments.create(account, name);
        deployment = created.id();
        revision = Deployments.latest(created);
        Deployments.awaitStatus(account, deployment, revision, "BUILDING");
    }

    @AfterEach
    void unblockClients() {
        built.complete(new Outcome.Done());
        callers.shutdownNow();
    }

    @Test
    void waitReturnsWhenRevisionIsDeployed() throws Exception {
        // When
        Future<HttpResult> waiting = callers.submit(() -> read("?wait=60s"));
        built.complete(new Outcome.Done());

        // Then
        HttpResult response = waiting.get();
        assertThat(response.text("status")).isEqualTo("DEPLOYED");
        assertThat(response.header("Retry-After")).isNull();
    }

    @Test
    void waitReturnsWhenOtherReplicaChangesRevision() throws Exception {
        // When
        Future<HttpResult> waiting = callers.submit(() -> read("?wait=60s"));
        DatabaseInspector
                .update("UPDATE deploy.revisions SET status = 'INTERRUPTED', updated_at = now() WHERE id = '" + revision + "'");

        // Then
        assertThat(waiting.get().text("status")).isEqualTo("INTERRUPTED");
    }

    @Test
    void waitReturnsCurrentRevisionAfterTimeout() {
        // When
        HttpResult response = read("?wait=200ms");

        // Then
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.text("status")).isEqualTo("BUILDING");
        assertThat(response.header("Retry-After")).isEqualTo("1");
    }

    @Test
    void matchingEntityTagReturns304() {
        // Given
        String tag = read("").header("ETag");

        // When
        HttpResult same = as(account).header("If-None-Match", tag).get(path(""));
        HttpResult among = as(account).header("If-None-Match", "\"other\", W/" + tag).get(path(""));
        HttpResult any = as(account).header("If-None-Match", "*").get(path(""));
        HttpResult waited = as(account).header("If-None-Match", tag).get(path("?wait=200ms"));
        built.complete(new Outcome.Done());
        Deployments.awaitStatus(account, deployment, revision, "DEPLOYED");
        HttpResult other = as(account).header("If-None-Match", tag).get(path("?wait=60s"));

        // Then
        assertThat(List.of(same.status(), among.status(), any.status(), waited.status())).containsOnly(304);
        assertThat(other.status()).isEqualTo(200);
        assertThat(same.body()).isEmpty();
        assertThat(other.headers("Cache-Control")).containsExactly("private, no-cache");
        assertThat(other.header("ETag")).isNotEqualTo(tag);
    }

    @Test
    void invalidOrTooLongWaitReturns422() {
        assertThat(List.of("?wait=soon", "?wait=61s", "?wait=-1s", "?wait=99999999999s").stream().map(this::read)
                .map(HttpResult::status).toList()).containsOnly(422);
    }

    @Test
    void logIsReadPageByPage() {
        // When
        Patience.await().untilAsserted(() -> assertThat(logs("").list("logs.line", String.class)).contains("1 is out of date"));
        HttpResult all = logs("");
        int total = all.list("logs", Map.class).size();
        HttpResult last = logs("?limit=1&offset=" + (total - 1));

        // Then
        assertThat(all.list("logs.stream", String.class)).startsWith("system").endsWith("stdout", "stderr");
        assertThat(all.list("logs.phase", String.class)).containsOnly("build");
        assertThat(all.value("next_offset")).isEqualTo(total);
        assertThat(last.list("logs.line", String.class)).containsExactly("1 is out of date");
        assertThat(logs("?offset=" + total).value("next_offset")).isEqualTo(total);
        assertThat(logs("?limit=0").status()).isEqualTo(422);
    }

    @Test
    void logStreamEndsWhenRevisionSettles() throws Exception {
        // When
        Future<HttpResult> following = callers
                .submit(() -> as(account).header("Accept", "text/event-stream").get(path("/logs")));
        built.complete(Outcome.Failed.permanent("npm ci exited with 1"));
        HttpResult stream = following.get();
        HttpResult rest = as(account).header("Accept", "text/event-stream").header("Last-Event-ID", "1").get(path("/logs"));

        // Then
        assertThat(stream.header("Content-Type")).startsWith("text/event-stream");
        assertThat(stream.body()).contains("event: log", "added 12 packages", "1 is out of date", "event: end");
        assertThat(rest.body()).doesNotContain("is commit").contains("1 is out of date", "event: end");
    }

    @Test
    void invalidLastEventIdIsNamedInViolation() {
        // When
        HttpResult response = as(account).header("Accept", "text/event-stream").header("Last-Event-ID", "nowhere")
                .get(path("/logs"));

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(response.list("errors.loc", List.class)).containsExactly(List.of("Last-Event-ID"));
    }

    private HttpResult read(String query) {
        return as(account).get(path(query));
    }

    private HttpResult logs(String query) {
        return as(account).get(path("/logs" + query));
    }

    private String path(String rest) {
        return Deployments.revision(deployment, revision) + rest;
    }
}
