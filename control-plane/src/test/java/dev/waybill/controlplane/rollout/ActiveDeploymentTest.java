package dev.waybill.controlplane.rollout;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.InMemoryEngine;
import dev.waybill.controlplane.engine.InMemoryEngine.Script;
import dev.waybill.controlplane.source.InMemorySourceClient;
import io.quarkus.test.junit.QuarkusTest;

/** Observation and repair of deployed revisions. */
@QuarkusTest
class ActiveDeploymentTest {

    private static final String IDLE = "SELECT count(*) FROM deploy.deployments WHERE lease_until IS NULL"
            + " AND next_look_at > now() + interval '30 seconds' AND id = '%s'";

    private final Account account = Deployments.account();
    private final String name = Deployments.newName();

    @Inject
    InMemoryEngine engine;

    @Inject
    InMemorySourceClient sources;

    @Inject
    Event<ApplicationChanged> changes;

    @Inject
    RolloutService rollouts;

    @Test
    void crashSetsUnknownUntilRecovery() {
        // Given
        HttpResult deployed = Deployments.deployed(account, name);
        UUID id = deployed.id();
        UUID revision = Deployments.latest(deployed);

        // When
        engine.script(name).observation(new Observation.Failing("It exited with 1; starting again in 4 s."));
        changes.fire(new ApplicationChanged(account.workspaceId(), id));

        // Then
        assertThat(Deployments.awaitStatus(account, id, revision, "UNKNOWN").text("status_message"))
                .isEqualTo("It exited with 1; starting again in 4 s.");
        assertThat(Deployments.get(account, id).text("status")).isEqualTo("UNKNOWN");
        assertThat(Deployments.get(account, id).text("status_message")).startsWith("It exited");
        engine.script(name).observation(new Observation.Serving());
        assertThat(Deployments.awaitStatus(account, id, revision, "DEPLOYED").text("status_message")).isNull();
        assertThat(Deployments.get(account, id).text("status")).isEqualTo("READY");
    }

    @Test
    @Tag("full")
    void repairsTheActiveRevisionDuringABuild() {
        // Given
        HttpResult deployed = Deployments.deployed(account, name);
        UUID active = Deployments.latest(deployed);
        engine.script(name).prepare(Script.NEVER);
        UUID next = Deployments.change(account, deployed.id(), "slow");
        Deployments.awaitStatus(account, deployed.id(), next, "BUILDING");
        long before = engine.count("observe", active);

        // Then: at the interval of failing revisions, because its state is unknown during the build
        Patience.await().until(() -> engine.count("observe", active) > before + 1);
        assertThat(status(deployed.id(), next)).isEqualTo("BUILDING");
        engine.script(name).done();
        Deployments.change(account, deployed.id(), "quick");
    }

    @Test
    void idleDeploymentIsNotClaimed() {
        // Given
        UUID id = Deployments.deployed(account, name).id();

        // Then
        Patience.await().untilAsserted(() -> assertThat(DatabaseInspector.count(IDLE.formatted(id)))
                .isEqualTo(1));
    }

    @Test
    void observationDoesNotContactTheRepository() {
        // Given
        String ref = "branch-of-" + name;
        HttpResult created = Deployments.create(account, Deployments.body(name, ref, ""), 201);
        UUID revision = Deployments.latest(created);
        Deployments.awaitStatus(account, created.id(), revision, "DEPLOYED");
        long observations = engine.count("observe", revision);

        // When
        changes.fire(new ApplicationChanged(account.workspaceId(), created.id()));
        Patience.await().until(() -> engine.count("observe", revision) > observations);

        // Then
        assertThat(sources.lookups(ref)).isOne();
        assertThat(engine.count("prepare", revision)).isOne();
    }

    @Test
    void startupObservesAllActiveDeployments() {
        // Given: an idle deployment whose failure was not reported
        HttpResult deployed = Deployments.deployed(account, name);
        Patience.await().untilAsserted(() -> assertThat(DatabaseInspector.count(IDLE.formatted(deployed.id()))).isEqualTo(1));
        engine.script(name).observation(new Observation.Failing("The application ended."));

        // When: as at startup
        rollouts.markAllActiveDue().await().indefinitely();

        // Then
        assertThat(Deployments.awaitStatus(account, deployed.id(), Deployments.latest(deployed), "UNKNOWN")
                .text("status_message")).isEqualTo("The application ended.");
    }

    @Test
    void changesDoNotShortenTheBackoff() {
        // Given: a failing step in its maximum backoff
        engine.script(name).start(new Outcome.Failed("A permission is missing.", true));
        HttpResult created = Deployments.create(account, Deployments.body(name, "main", ""), 201);
        UUID revision = Deployments.latest(created);
        Patience.await().until(() -> engine.count("start", revision) > 0);
        String paused = "SELECT count(*) FROM deploy.deployments WHERE id = '%s' AND lease_until IS NULL"
                + " AND paused_until > now() AND next_look_at >= paused_until";
        DatabaseInspector.update("UPDATE deploy.deployments SET tries = 1000 WHERE id = '%s'".formatted(created.id()));
        Patience.await().until(() -> DatabaseInspector.count(paused.formatted(created.id())) == 1);

        // When
        rollouts.markDue(new ApplicationChanged(account.workspaceId(), created.id())).await().indefinitely();

        // Then
        assertThat(DatabaseInspector.count(("SELECT count(*) FROM deploy.deployments WHERE id = '%s'"
                + " AND (next_look_at < paused_until OR paused_until IS NULL) AND lease_until IS NULL")
                .formatted(created.id())))
                .isZero();
        engine.script(name).done();
    }

    private String status(UUID deploymentId, UUID revisionId) {
        return as(account).get(Deployments.revision(deploymentId, revisionId)).text("status");
    }
}
