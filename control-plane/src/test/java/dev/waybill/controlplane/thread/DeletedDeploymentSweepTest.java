package dev.waybill.controlplane.thread;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.engine.InMemoryEngine;
import io.quarkus.test.junit.QuarkusTest;

/** Removal of roles and threads that the deletion of a deployment left. */
@QuarkusTest
class DeletedDeploymentSweepTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Account account = Deployments.account();

    @Inject
    InMemoryEngine engine;

    @Inject
    DeletedDeploymentSweep sweep;

    @BeforeEach
    void configureThreads() {
        engine.configure(Map.of("waybill.runtime.threads.database.url", "postgresql://database.example:5432/waybill"));
    }

    @AfterEach
    void configureNothing() {
        engine.configure(Map.of());
    }

    @Test
    void removesWhatThePreviousReleaseLeaves() {
        UUID kept = deploymentWithThreads();
        UUID deleted = deploymentWithThreads();

        // The last statement of a deletion, which the previous release executes without dropping the role.
        DatabaseInspector.update("DELETE FROM deploy.deployments WHERE id = '" + deleted + "'");
        assertThat(roles(deleted)).isOne();
        sweep.sweep().await().atMost(TIMEOUT);

        assertThat(roles(deleted) + items(deleted) + recorded(deleted)).isZero();
        assertThat(roles(kept)).isOne();
        assertThat(items(kept)).isOne();
    }

    @Test
    void failureDelaysOneDeploymentOnly() {
        UUID failing = deploymentWithThreads();
        UUID deleted = deploymentWithThreads();
        String role = "\"waybill_app_" + failing + "\"";
        // The owner of the function cannot drop a role that it does not administer.
        DatabaseInspector.update("REVOKE " + role + " FROM waybill_application_admin");
        DatabaseInspector.update("DELETE FROM deploy.deployments WHERE id IN ('" + failing + "', '" + deleted + "')");

        sweep.sweep().await().atMost(TIMEOUT);

        assertThat(roles(deleted) + recorded(deleted)).isZero();
        assertThat(roles(failing)).isOne();
        assertThat(recorded(failing)).isOne();

        DatabaseInspector.update("GRANT " + role + " TO waybill_application_admin WITH ADMIN TRUE");
        sweep.sweep().await().atMost(TIMEOUT);
        assertThat(roles(failing) + items(failing) + recorded(failing)).isZero();
    }

    @Test
    void forgetsDeploymentsThatWereDeletedCompletely() {
        UUID deleted = deploymentWithThreads();
        as(account).delete(Deployments.PATH + "/" + deleted);
        Patience.await().until(() -> recorded(deleted) == 1);

        sweep.sweep().await().atMost(TIMEOUT);

        assertThat(recorded(deleted)).isZero();
    }

    private UUID deploymentWithThreads() {
        UUID id = Deployments.deployed(account, Deployments.newName()).id();
        DatabaseInspector.update("""
                INSERT INTO runtime.items (tenant_id, deployment_id, owner, namespace, key, value, created_at, updated_at)
                VALUES ('%s', '%s', 'o', 'n.', 'key', '{}', now(), now())
                """.formatted(account.workspaceId(), id));
        return id;
    }

    private static long roles(UUID deployment) {
        return DatabaseInspector.count("SELECT count(*) FROM pg_roles WHERE rolname = 'waybill_app_" + deployment + "'");
    }

    private static long items(UUID deployment) {
        return DatabaseInspector.count("SELECT count(*) FROM runtime.items WHERE deployment_id = '" + deployment + "'");
    }

    private static long recorded(UUID deployment) {
        return DatabaseInspector
                .count("SELECT count(*) FROM deploy.deleted_deployments WHERE deployment_id = '" + deployment + "'");
    }
}
