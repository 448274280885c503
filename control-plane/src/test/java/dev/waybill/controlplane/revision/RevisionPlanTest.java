package dev.waybill.controlplane.revision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.database.Database;
import dev.waybill.common.testing.Account;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.QueryPlan;
import dev.waybill.controlplane.deployment.Deployments;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Tuple;

/** Measure C2: polling, listing and waiting read only the requested revisions. */
@QuarkusTest
class RevisionPlanTest {

    private final Account account = Deployments.account();
    private HttpResult deployment;

    @Inject
    Database database;

    @BeforeEach
    void twoDeployments() {
        deployment = Deployments.deployed(account, Deployments.newName());
        UUID other = Deployments.deployed(account, Deployments.newName()).id();
        // With few rows, every index of the workspace costs the same.
        DatabaseInspector.update("""
                INSERT INTO deploy.revisions
                SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'number', r.number + n))).*
                FROM deploy.revisions AS r, generate_series(1, 500) AS n
                WHERE r.deployment_id = '%s'""".formatted(other));
        DatabaseInspector.update("ANALYZE deploy.revisions");
    }

    @Test
    void findUsesPrimaryKey() {
        // When
        QueryPlan plan = QueryPlan.of(database, account.workspaceId(), RevisionRepository.FIND,
                Tuple.of(account.workspaceId(), deployment.id(), Deployments.latest(deployment)));

        // Then
        requireOne(plan);
    }

    @Test
    void listReadsOnlyRowsOfDeployment() {
        // When
        QueryPlan plan = QueryPlan.of(database, account.workspaceId(), RevisionRepository.LIST,
                Tuple.of(account.workspaceId(), deployment.id(), new String[0], 20, 0));

        // Then
        requireOne(plan);
    }

    @Test
    void pollOfAwaitedRevisionsUsesPrimaryKeys() {
        // When
        QueryPlan plan = database.everyWorkspace(connection -> QueryPlan.ofAll(connection, RevisionRepository.VERSIONS,
                Tuple.of(Stream.of(account.workspaceId()).toArray(UUID[]::new),
                        Stream.of(Deployments.latest(deployment)).toArray(UUID[]::new))))
                .await().indefinitely();

        // Then
        requireOne(plan);
    }

    private static void requireOne(QueryPlan plan) {
        assertThat(plan.conditions()).as(plan.text()).singleElement().asString().contains("tenant_id", "id");
        assertThat(plan.rows()).as(plan.text()).isOne();
    }
}
