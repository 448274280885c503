package dev.waybill.controlplane.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.common.database.Database;
import dev.waybill.common.testing.Account;
import dev.waybill.controlplane.QueryPlan;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Tuple;

/** Measure C2: frequent queries use indexes of the workspace. */
@QuarkusTest
class DeploymentPlanTest {

    private final Account account = Deployments.account();

    @Inject
    Database database;

    @Test
    void findUsesPrimaryKey() {
        // Given
        UUID id = Deployments.deployed(account, Deployments.newName()).id();

        // When
        QueryPlan plan = QueryPlan.of(database, account.workspaceId(), DeploymentRepository.FIND,
                Tuple.of(account.workspaceId(), id));

        // Then: the deployment, its active revision and its latest one
        assertThat(plan.conditions()).as(plan.text()).hasSize(3)
                .allSatisfy(condition -> assertThat(condition).contains("tenant_id", "id ="));
        assertThat(plan.rows()).as(plan.text()).isEqualTo(3);
    }

    @Test
    void listReadsOnlyRowsOfWorkspace() {
        // Given
        Account other = Deployments.account();
        for (int i = 0; i < 3; i++) {
            Deployments.deployed(account, Deployments.newName());
            Deployments.deployed(other, Deployments.newName());
        }

        // When
        QueryPlan plan = QueryPlan.of(database, account.workspaceId(), DeploymentRepository.LIST,
                Tuple.of(account.workspaceId(), null, null, null, 20, 0));

        // Then
        assertThat(plan.conditions()).as(plan.text()).isNotEmpty()
                .allSatisfy(condition -> assertThat(condition).contains("tenant_id"));
    }
}
