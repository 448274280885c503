package dev.waybill.controlplane.rollout;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.engine.InMemoryEngine;
import dev.waybill.controlplane.engine.InMemoryEngine.Script;
import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.source.InMemorySourceClient;
import io.quarkus.test.junit.QuarkusTest;

/** What is done about a deployment after it was deployed: little while it is well, and enough when it is not. */
@QuarkusTest
class UpkeepTest {

    private static final String AT_REST = "SELECT count(*) FROM deploy.deployments WHERE lease_until IS NULL"
            + " AND next_look_at > now() + interval '4 minutes' AND id = '%s'";

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
    void aCrashAfterHealthyIsShownAndGoesAwayAgain() {
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
    void whatServesIsRepairedWhileTheNextIsBuilt() {
        // Given
        HttpResult deployed = Deployments.deployed(account, name);
        UUID active = Deployments.latest(deployed);
        engine.script(name).prepare(Script.NEVER);
        UUID next = Deployments.change(account, deployed.id(), "slow");
        Deployments.awaitStatus(account, deployed.id(), next, "BUILDING");
        long before = engine.count("observe", active);

        // Then: as often as what does not serve, since nobody can be told meanwhile
        Patience.await().until(() -> engine.count("observe", active) > before + 1);
        assertThat(status(deployed.id(), next)).isEqualTo("BUILDING");
        engine.script(name).done();
        Deployments.change(account, deployed.id(), "quick");
    }

    @Test
    void aDeploymentAtRestIsNotAskedFor() {
        // Given
        UUID id = Deployments.deployed(account, name).id();

        // Then
        Patience.await().untilAsserted(() -> assertThat(DatabaseInspector.count(AT_REST.formatted(id)))
                .isEqualTo(1));
    }

    @Test
    void lookingAtADeploymentAtRestAsksNoRepository() {
        // Given
        String ref = "branch-of-" + name;
        HttpResult created = Deployments.create(account, Deployments.body(name, ref, ""), 201);
        UUID revision = Deployments.latest(created);
        Deployments.awaitStatus(account, created.id(), revision, "DEPLOYED");
        long looks = engine.count("observe", revision);

        // When
        changes.fire(new ApplicationChanged(account.workspaceId(), created.id()));
        Patience.await().until(() -> engine.count("observe", revision) > looks);

        // Then
        assertThat(sources.lookups(ref)).isOne();
        assertThat(engine.count("prepare", revision)).isOne();
    }

    @Test
    void whatEndedWhileNoControlPlaneRanIsLookedAtWhenOneBegins() {
        // Given: at rest, and nobody saw that it is not well
        HttpResult deployed = Deployments.deployed(account, name);
        Patience.await()
                .untilAsserted(() -> assertThat(DatabaseInspector.count(AT_REST.formatted(deployed.id()))).isEqualTo(1));
        engine.script(name).observation(new Observation.Failing("The application ended."));

        // When: as at the start
        rollouts.lookAtAll().await().indefinitely();

        // Then
        assertThat(Deployments.awaitStatus(account, deployed.id(), Deployments.latest(deployed), "UNKNOWN")
                .text("status_message")).isEqualTo("The application ended.");
    }

    @Test
    void pauseAfterAFailureHoldsWhateverTheEngineReports() {
        // Given: a step that fails, in its longest pause
        engine.script(name).start(new Outcome.Failed("A right is missing.", true));
        HttpResult created = Deployments.create(account, Deployments.body(name, "main", ""), 201);
        UUID revision = Deployments.latest(created);
        Patience.await().until(() -> engine.count("start", revision) > 0);
        String paused = "SELECT count(*) FROM deploy.deployments WHERE id = '%s' AND lease_until IS NULL"
                + " AND paused_until > now() AND next_look_at >= paused_until";
        DatabaseInspector.update("UPDATE deploy.deployments SET tries = 1000 WHERE id = '%s'".formatted(created.id()));
        Patience.await().until(() -> DatabaseInspector.count(paused.formatted(created.id())) == 1);

        // When
        rollouts.lookSoon(new ApplicationChanged(account.workspaceId(), created.id())).await().indefinitely();

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
