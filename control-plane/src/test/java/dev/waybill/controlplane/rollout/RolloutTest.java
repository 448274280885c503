package dev.waybill.controlplane.rollout;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.database.Database;
import dev.waybill.common.job.JobRunner;
import dev.waybill.common.logging.LoggingContext;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.InMemoryEngine;
import dev.waybill.controlplane.engine.InMemoryEngine.Script;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.InMemorySourceClient;
import dev.waybill.controlplane.source.SourceClient.Resolution;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;

/** docs/architecture.md "Control plane: revisions by reconciliation", with a scripted engine. */
@QuarkusTest
class RolloutTest {

    private final Account account = Deployments.account();
    private final String name = Deployments.newName();

    @Inject
    InMemoryEngine engine;

    @Inject
    InMemorySourceClient sources;

    @Inject
    RolloutService rollouts;

    @Inject
    Database database;

    @Inject
    MeterRegistry registry;

    @Inject
    LoggingContext loggingContext;

    @Test
    void deploysTheLastOfFivePushes() {
        // Given
        UUID id = Deployments.deployed(account, name).id();
        engine.script(name).prepare(step -> step.plan().number() <= 6 ? Script.NEVER.apply(step)
                : Uni.createFrom().item(new Outcome.Done()));

        // When
        List<UUID> revisions = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            revisions.add(Deployments.change(account, id, "branch-" + i));
        }
        UUID last = Deployments.change(account, id, "last");
        Deployments.awaitStatus(account, id, last, "DEPLOYED");

        // Then
        assertThat(revisions).allSatisfy(revision -> assertThat(status(id, revision)).isEqualTo("SKIPPED"));
        assertThat(Deployments.get(account, id).text("active_revision_id")).isEqualTo(last.toString());
        Patience.await().untilAsserted(() -> assertThat(engine.running(id)).containsExactly(last));
    }

    @Test
    void stuckRevisionDoesNotBlockTheNext() {
        // Given
        engine.script(name).start(Script.NEVER);
        HttpResult created = Deployments.create(account, name);
        UUID stuck = Deployments.latest(created);
        engine.awaitStarted("start", stuck);

        // When
        engine.script(name).done();
        UUID next = Deployments.change(account, created.id(), "fixed");

        // Then
        Deployments.awaitStatus(account, created.id(), next, "DEPLOYED");
        assertThat(status(created.id(), stuck)).isEqualTo("SKIPPED");
        Patience.await().until(() -> engine.wasCancelled(stuck));
    }

    @ParameterizedTest
    @CsvSource({ "prepare, BUILD_FAILED", "start, DEPLOY_FAILED" })
    void failedRevisionLeavesTheActiveOneUnchanged(String step, String end) {
        // Given
        HttpResult deployed = Deployments.deployed(account, name);
        Outcome reason = Outcome.Failed.permanent("npm ci exited with 1; its last lines: no such package");
        if (step.equals("prepare")) {
            engine.script(name).prepare(reason);
        } else {
            engine.script(name).start(reason);
        }

        // When
        UUID failing = Deployments.change(account, deployed.id(), "broken");
        HttpResult failed = Deployments.awaitStatus(account, deployed.id(), failing, end);
        HttpResult read = Deployments.get(account, deployed.id());

        // Then
        assertThat(failed.text("status_message")).startsWith("npm ci exited with 1");
        assertThat(read.text("status")).isEqualTo("READY");
        assertThat(read.text("active_revision_id")).isEqualTo(deployed.text("latest_revision_id"));
        assertThat(read.text("latest_revision_id")).isEqualTo(failing.toString());
        assertThat(read.text("latest_revision_status")).isEqualTo(end);
        assertThat(engine.running(deployed.id())).containsExactly(Deployments.latest(deployed));
    }

    @Test
    void unreachableSourceIsCreateFailed() {
        assertThat(endOf("no-access", new Resolution.Unreachable("The host refused the token; make a new one.", false)))
                .isEqualTo("CREATE_FAILED: The host refused the token; make a new one.");
    }

    @Test
    void missingReferenceIsBuildFailed() {
        assertThat(endOf("not-there", new Resolution.RefNotFound("There is no branch not-there; push it first.")))
                .isEqualTo("BUILD_FAILED: There is no branch not-there; push it first.");
    }

    @Test
    @Tag("full")
    void retryableFailureIsRetriedAndShown() {
        // Given
        engine.script(name).prepare(new Outcome.Failed("The registry does not respond.", true));
        HttpResult created = Deployments.create(account, name);
        UUID revision = Deployments.latest(created);

        // When
        Patience.await().untilAsserted(() -> assertThat(engine.count("prepare", revision)).isGreaterThan(2));
        HttpResult meanwhile = as(account).get(Deployments.revision(created.id(), revision));
        engine.script(name).done();
        HttpResult deployed = Deployments.awaitStatus(account, created.id(), revision, "DEPLOYED");

        // Then
        assertThat(meanwhile.text("status")).isEqualTo("BUILDING");
        assertThat(meanwhile.text("status_message")).isEqualTo("The registry does not respond.");
        assertThat(deployed.text("status_message")).isNull();
    }

    @Test
    void engineErrorIsReportedAsInternalAndRetried() {
        // Given
        engine.script(name).start(step -> Uni.createFrom().failure(new IllegalStateException("secret inside")));
        HttpResult created = Deployments.create(account, name);
        UUID revision = Deployments.latest(created);

        // When
        Patience.await().untilAsserted(() -> assertThat(engine.count("start", revision)).isGreaterThan(1));
        HttpResult meanwhile = as(account).get(Deployments.revision(created.id(), revision));
        engine.script(name).done();

        // Then
        assertThat(meanwhile.text("status_message")).contains("internal error").doesNotContain("inside");
        Deployments.awaitStatus(account, created.id(), revision, "DEPLOYED");
    }

    @ParameterizedTest
    @Tag("full")
    @CsvSource({ "CREATING, CREATE_FAILED, did not respond within", "BUILDING, BUILD_FAILED, took longer than 15 minutes",
            "DEPLOYING, DEPLOY_FAILED, not healthy within 5 minutes" })
    void timedOutStepFailsWithAReason(String status, String end, String reason) {
        // Given
        engine.script(name).prepare(Script.NEVER);
        HttpResult created = Deployments.create(account, name);
        UUID revision = Deployments.latest(created);
        Deployments.awaitStatus(account, created.id(), revision, "BUILDING");

        // When
        simulateDeadWorker(created.id(), revision, status, "now() - interval '1 hour'", 1);

        // Then
        assertThat(Deployments.awaitStatus(account, created.id(), revision, end).text("status_message")).contains(reason);
    }

    @Test
    void waitingForASlotDoesNotCountAsResolving() {
        // Given
        engine.script(name).prepare(Script.NEVER);
        HttpResult created = Deployments.create(account, name);
        UUID revision = Deployments.latest(created);
        engine.awaitStarted("prepare", revision);
        engine.script(name).done();

        // When
        simulateDeadWorker(created.id(), revision, "CREATING", "now() - interval '1 hour'", 0);

        // Then
        Deployments.awaitStatus(account, created.id(), revision, "DEPLOYED");
    }

    @ParameterizedTest
    @Tag("full")
    @ValueSource(strings = { "CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING" })
    void revisionResumesAfterItsWorkerDied(String status) {
        // Given
        engine.script(name).prepare(Script.NEVER);
        HttpResult created = Deployments.create(account, name);
        UUID revision = Deployments.latest(created);
        engine.awaitStarted("prepare", revision);
        engine.script(name).done();

        // When
        simulateDeadWorker(created.id(), revision, status, "now()", 0);

        // Then
        Deployments.awaitStatus(account, created.id(), revision, "DEPLOYED");
        assertThat(engine.running(created.id())).containsExactly(revision);
        assertThat(engine.count("start", revision)).isEqualTo(1);
    }

    @Test
    @Tag("full")
    void workerWithoutLeaseWritesNothing() {
        // Given
        CompletableFuture<Outcome> late = new CompletableFuture<>();
        engine.script(name).prepare(step -> Uni.createFrom().completionStage(late));
        HttpResult created = Deployments.create(account, name);
        UUID revision = Deployments.latest(created);
        engine.awaitStarted("prepare", revision);

        // When
        DatabaseInspector
                .update("UPDATE deploy.deployments SET lease_token = lease_token + 1, lease_until = now() + interval '1 hour'"
                        + " WHERE id = '" + created.id() + "'");
        late.complete(Outcome.Failed.permanent("too late"));

        // Then
        Patience.await().during(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(status(created.id(), revision)).isEqualTo("BUILDING"));
    }

    @Test
    void unrelatedPatchDoesNotCancelTheWork() {
        // Given
        CompletableFuture<Outcome> built = new CompletableFuture<>();
        engine.script(name).prepare(step -> Uni.createFrom().completionStage(built));
        HttpResult created = Deployments.create(account, name);
        UUID revision = Deployments.latest(created);
        engine.awaitStarted("prepare", revision);

        // When
        as(account).patch(Deployments.PATH + "/" + created.id(), "{\"display_name\": \"Support\"}");
        built.complete(new Outcome.Done());
        Deployments.awaitStatus(account, created.id(), revision, "DEPLOYED");

        // Then
        assertThat(engine.wasCancelled(revision)).isFalse();
        assertThat(engine.count("prepare", revision)).isEqualTo(1);
    }

    @Test
    @Tag("full")
    void twoControlPlanesRunEveryStepOnce() {
        // Given
        AtomicBoolean working = new AtomicBoolean(true);
        JobRunner second = new JobRunner(database, registry, loggingContext, 4, rollouts.handlers());
        Thread polls = Thread.ofVirtual().start(() -> {
            while (working.get()) {
                second.poll();
                LockSupport.parkNanos(1_000_000);
            }
        });

        // When
        List<HttpResult> created = IntStream.range(0, 12)
                .mapToObj(i -> Deployments.create(account, name + "-" + i))
                .toList();
        created.forEach(one -> Deployments.awaitStatus(account, one.id(), Deployments.latest(one), "DEPLOYED"));
        working.set(false);

        // Then
        assertThat(created).allSatisfy(one -> {
            assertThat(engine.count("prepare", Deployments.latest(one))).isEqualTo(1);
            assertThat(engine.count("start", Deployments.latest(one))).isEqualTo(1);
        });
        Patience.await().until(() -> !polls.isAlive());
        second.stop();
    }

    @Test
    void interruptCancelsTheWorkAndCleansUp() {
        // Given
        engine.script(name).start(Script.NEVER);
        HttpResult created = Deployments.create(account, name);
        UUID revision = Deployments.latest(created);
        engine.awaitStarted("start", revision);
        String interrupt = Deployments.revision(created.id(), revision) + "/interrupt";

        // When
        HttpResult interrupted = as(account).post(interrupt, "{}");
        HttpResult again = as(account).post(interrupt, "{}");

        // Then
        assertThat(interrupted.status()).isEqualTo(200);
        assertThat(interrupted.text("status")).isEqualTo("INTERRUPTED");
        assertThat(again.status()).isEqualTo(409);
        Patience.await().until(() -> engine.wasCancelled(revision));
        Patience.await().untilAsserted(() -> assertThat(DatabaseInspector.count(
                "SELECT count(*) FROM deploy.deployments WHERE NOT untidy AND next_look_at IS NULL AND id = '" + created.id()
                        + "'"))
                .isEqualTo(1));
        assertThat(Deployments.get(account, created.id()).text("status")).isEqualTo("UNUSED");
    }

    @Test
    void redeploymentBuildsTheSameCommit() {
        // Given
        HttpResult deployed = Deployments.deployed(account, name);
        UUID second = Deployments.change(account, deployed.id(), "other");
        Deployments.awaitStatus(account, deployed.id(), second, "DEPLOYED");
        sources.setResolution("main", new Resolution.Resolved("moved"));

        // When
        HttpResult redeployed = as(account).post(
                Deployments.revision(deployed.id(), Deployments.latest(deployed)) + "/redeploy",
                "{}");
        sources.setResolution("main", new Resolution.Resolved(InMemorySourceClient.commit("main")));
        HttpResult third = Deployments.awaitStatus(account, deployed.id(), Deployments.latest(redeployed), "DEPLOYED");

        // Then
        assertThat(redeployed.status()).isEqualTo(200);
        assertThat(third.text("source_revision_config.repo_commit_sha")).isEqualTo(InMemorySourceClient.commit("main"));
        assertThat(as(account).get(Deployments.PATH + "/" + deployed.id() + "/revisions").list("resources.id", String.class))
                .containsExactly(Deployments.latest(redeployed).toString(), second.toString(),
                        deployed.text("latest_revision_id"));
    }

    @Test
    void usesTheIntegrationsCredential() {
        // Given
        UUID integration = as(account).post("/v1/integrations/repohost/install", """
                {"installation_id": 1, "name": "acme", "base_url": "%s", "token": "the-token"}"""
                .formatted(Deployments.BASE_URL)).id();

        // When
        HttpResult created = Deployments.create(account,
                Deployments.body(name, "with-token", ", \"integration_id\": \"" + integration + "\""), 201);
        Deployments.awaitStatus(account, created.id(), Deployments.latest(created), "DEPLOYED");

        // Then
        assertThat(sources.lastCredential("with-token")).isEqualTo(new Credential.AccessToken("the-token"));
    }

    /**
     * Simulates a worker that was killed while the revision had the status, after the given number of attempts.
     */
    private static void simulateDeadWorker(UUID deploymentId, UUID revisionId, String status, String since, int tries) {
        DatabaseInspector.update("""
                WITH dead AS (UPDATE deploy.deployments SET lease_token = lease_token + 1, lease_owner = 'dead',
                        lease_until = now() - interval '1 second', tries = %s WHERE id = '%s')
                UPDATE deploy.revisions SET status = '%s', step_since = %s WHERE id = '%s'
                """.formatted(tries, deploymentId, status, since, revisionId));
    }

    private String endOf(String ref, Resolution resolution) {
        sources.setResolution(ref, resolution);
        HttpResult created = Deployments.create(account, Deployments.body(name, ref, ""), 201);
        String path = Deployments.revision(created.id(), Deployments.latest(created));
        Patience.await().untilAsserted(() -> assertThat(as(account).get(path).text("status")).endsWith("_FAILED"));
        HttpResult failed = as(account).get(path);
        return failed.text("status") + ": " + failed.text("status_message");
    }

    private String status(UUID deploymentId, UUID revisionId) {
        return as(account).get(Deployments.revision(deploymentId, revisionId)).text("status");
    }
}
