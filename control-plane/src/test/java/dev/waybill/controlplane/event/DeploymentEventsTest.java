package dev.waybill.controlplane.event;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.InMemoryEngine;
import io.quarkus.test.junit.QuarkusTest;

/** Changes that the control-plane writes to the table of experiment-service, with the real migrations and rights. */
@QuarkusTest
class DeploymentEventsTest {

    private final Account account = Deployments.account();
    private final String name = Deployments.newName();

    @Inject
    InMemoryEngine engine;

    @BeforeAll
    static void migrate() {
        TestDatabase.get().migrate("experiment-service");
    }

    @Test
    void deployedRevisionIsAnnounced() {
        // When
        HttpResult deployed = Deployments.deployed(account, name);

        // Then
        awaitChange("deployment", deployed.id(), deployed.id());
        awaitChange("revision", Deployments.latest(deployed), deployed.id());
    }

    @Test
    void renamedAndDeletedDeploymentIsAnnounced() {
        // Given
        UUID id = Deployments.deployed(account, name).id();
        forget(id);

        // When
        as(account).patch(Deployments.PATH + "/" + id, "{\"display_name\": \"renamed\"}");
        awaitChange("deployment", id, id);
        forget(id);
        as(account).delete(Deployments.PATH + "/" + id);

        // Then
        awaitChange("deployment", id, id);
    }

    @Test
    void revisionThatDoesNotServeIsAnnounced() {
        // Given
        HttpResult deployed = Deployments.deployed(account, name);
        forget(deployed.id());

        // When
        engine.script(name).observation(new Observation.Failing("It crashed."));
        DatabaseInspector.update("UPDATE deploy.deployments SET next_look_at = now() WHERE id = '" + deployed.id() + "'");

        // Then
        Deployments.awaitStatus(account, deployed.id(), Deployments.latest(deployed), "UNKNOWN");
        awaitChange("revision", Deployments.latest(deployed), deployed.id());
    }

    /** Waits until steps in progress were announced, and deletes those changes. */
    private void forget(UUID deployment) {
        awaitChange("deployment", deployment, deployment);
        DatabaseInspector.update("DELETE FROM trace.recent_changes WHERE tenant_id = '" + account.workspaceId() + "'");
    }

    private void awaitChange(String type, UUID id, UUID deployment) {
        Patience.await().untilAsserted(() -> assertThat(DatabaseInspector.count(
                "SELECT count(*) FROM trace.recent_changes WHERE tenant_id = '" + account.workspaceId() + "' AND type = '"
                        + type
                        + "' AND id = '" + id + "' AND deployment_id = '" + deployment + "'"))
                .isOne());
    }
}
