package dev.waybill.controlplane.rollout;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.InMemoryEngine;
import dev.waybill.controlplane.engine.InMemoryEngine.Script;
import dev.waybill.controlplane.source.CommitDescription;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;

/** Times of the phases of revisions, and their commits. */
@QuarkusTest
class RevisionPhasesTest {

    private static final Instant COMMITTED = Instant.parse("2026-01-02T03:04:05Z");

    private final Account account = Deployments.account();
    private final String name = Deployments.newName();

    @Inject
    InMemoryEngine engine;

    @Test
    void deployedRevisionHasTheTimeOfEachPhase() {
        // Given
        AtomicBoolean isHealthy = new AtomicBoolean();
        engine.script(name).start(step -> Uni.createFrom().item(isHealthy.getAndSet(true) ? new Outcome.Done()
                : new Outcome.InProgress("It is not healthy yet.", Duration.ofMillis(10), true)));

        // When
        HttpResult created = Deployments.create(account, name);
        HttpResult revision = Deployments.awaitStatus(account, created.id(), Deployments.latest(created), "DEPLOYED");

        // Then
        List<Instant> times = List.of("queued_at", "building_at", "deploying_at", "health_check_at", "ended_at").stream()
                .map(phase -> Instant.parse(revision.text("phases." + phase)))
                .toList();
        assertThat(times).isSorted();
        assertThat(revision.text("phases.queued_at")).isEqualTo(revision.text("created_at"));
    }

    @Test
    void failedRevisionHasOnlyThePhasesThatItReached() {
        // Given
        engine.script(name).prepare(Outcome.Failed.permanent("No."));

        // When
        HttpResult created = Deployments.create(account, name);
        HttpResult revision = Deployments.awaitStatus(account, created.id(), Deployments.latest(created), "BUILD_FAILED");

        // Then
        assertThat(revision.text("phases.building_at")).isNotNull();
        assertThat(revision.text("phases.deploying_at")).isNull();
        assertThat(revision.text("phases.health_check_at")).isNull();
        assertThat(Instant.parse(revision.text("phases.ended_at")))
                .isAfterOrEqualTo(Instant.parse(revision.text("phases.building_at")));
    }

    @Test
    void skippedAndInterruptedRevisionsHaveAnEnd() {
        // Given
        engine.script(name).start(Script.NEVER);
        HttpResult created = Deployments.create(account, name);
        UUID skipped = Deployments.latest(created);
        engine.awaitStarted("start", skipped);
        UUID interrupted = Deployments.change(account, created.id(), "other");

        // When
        as(account).post(Deployments.revision(created.id(), interrupted) + "/interrupt", "");

        // Then
        assertThat(Deployments.awaitStatus(account, created.id(), skipped, "SKIPPED").text("phases.ended_at")).isNotNull();
        assertThat(Deployments.awaitStatus(account, created.id(), interrupted, "INTERRUPTED").text("phases.ended_at"))
                .isNotNull();
    }

    @Test
    void commitIsStoredAtItsCheckoutAlsoIfTheBuildFails() {
        // Given
        engine.script(name).prepare(step -> {
            step.log().commit(new CommitDescription("Ada", "Adds a graph\n\nIt answers.", COMMITTED));
            return Uni.createFrom().item(Outcome.Failed.permanent("No."));
        });

        // When
        HttpResult created = Deployments.create(account, name);
        HttpResult revision = Deployments.awaitStatus(account, created.id(), Deployments.latest(created), "BUILD_FAILED");

        // Then
        assertThat(revision.text("commit.author")).isEqualTo("Ada");
        assertThat(revision.text("commit.message")).isEqualTo("Adds a graph\n\nIt answers.");
        assertThat(Instant.parse(revision.text("commit.committed_at"))).isEqualTo(COMMITTED);
    }

    @Test
    void redeployedCommitIsDescribedWithoutAnotherCheckout() {
        // Given
        engine.script(name).prepare(step -> {
            if (step.plan().number() == 1) {
                step.log().commit(new CommitDescription("Ada", "One", COMMITTED));
            }
            return Uni.createFrom().item(new Outcome.Done());
        });
        HttpResult deployed = Deployments.deployed(account, name);

        // When
        HttpResult redeployed = as(account).post(
                Deployments.revision(deployed.id(), Deployments.latest(deployed)) + "/redeploy", "{}");
        HttpResult revision = Deployments.awaitStatus(account, deployed.id(), Deployments.latest(redeployed), "DEPLOYED");

        // Then
        assertThat(revision.text("commit.message")).isEqualTo("One");
    }

    @Test
    void revisionWithoutACheckoutHasNoCommit() {
        HttpResult deployed = Deployments.deployed(account, name);

        assertThat(as(account).get(Deployments.revision(deployed.id(), Deployments.latest(deployed))).value("commit")).isNull();
    }
}
