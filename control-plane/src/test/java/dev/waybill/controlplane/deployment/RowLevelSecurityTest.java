package dev.waybill.controlplane.deployment;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.database.Database;
import dev.waybill.common.testing.Account;
import dev.waybill.controlplane.DatabaseInspector;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;

/** Threat T11: row-level security protects other workspaces from a statement without a tenant filter. */
@QuarkusTest
class RowLevelSecurityTest {

    // Ports are shared by all workspaces.
    private static final List<String> TABLES = List.of("integrations", "deployments", "revisions", "log_lines", "deliveries");

    private final Account mine = Deployments.account();
    private final Account theirs = Deployments.account();

    @Inject
    Database database;

    @BeforeEach
    void insertRowsOfBothWorkspaces() {
        List.of(mine, theirs).forEach(account -> {
            UUID integration = as(account).post("/v1/integrations/repohost/install", """
                    {"installation_id": 1, "name": "acme", "base_url": "https://git.example.com/acme"}""").id();
            Deployments.deployed(account, Deployments.newName());
            DatabaseInspector
                    .update("INSERT INTO deploy.deliveries (tenant_id, integration_id, delivery, body_sha256) VALUES ('"
                            + account.workspaceId() + "', '" + integration + "', 'x', sha256('x'))");
        });
    }

    @Test
    void everyTableExceptPortsForcesRowLevelSecurity() {
        assertThat(DatabaseInspector
                .count("""
                        SELECT count(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
                        WHERE (n.nspname IN ('deploy', 'runtime') OR c.relname LIKE 'notification_%'
                                OR c.relname = 'audit_events')
                            AND c.relkind = 'r' AND c.relname <> 'ports'
                            AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
                        """))
                .isZero();
    }

    @Test
    void queryWithoutTenantFilterAffectsOwnRowsOnly() {
        for (String table : TABLES) {
            String of = " FROM deploy." + table + " WHERE tenant_id = '" + theirs.workspaceId() + "'";

            // When
            long seen = number(mine, "SELECT count(*)" + of);
            long deleted = changed(mine, "DELETE" + of);

            // Then
            assertThat(List.of(seen, deleted)).as(table).containsOnly(0L);
            assertThat(number(theirs, "SELECT count(*)" + of)).as(table).isPositive();
            assertThat(number(mine, "SELECT count(*) FROM deploy." + table)).as(table).isPositive();
        }
    }

    @Test
    void rowsCannotBeMovedToOtherWorkspace() {
        for (String table : TABLES) {
            assertThat(changed(mine, "UPDATE deploy." + table + " SET tenant_id = '" + theirs.workspaceId() + "'")).as(table)
                    .isZero();
        }
    }

    @Test
    void sessionWithoutWorkspaceSeesNoRows() {
        for (String table : TABLES) {
            assertThat((long) database.outsideWorkspaces(connection -> connection.query("SELECT count(*) FROM deploy." + table)
                    .execute()
                    .map(rows -> rows.iterator().next().getLong(0))).await().indefinitely()).as(table).isZero();
        }
    }

    private long number(Account account, String sql) {
        return database.inWorkspace(account.workspaceId(), connection -> connection.query(sql).execute()
                .map(rows -> rows.iterator().next().getLong(0))).await().indefinitely();
    }

    /** Returns the number of changed rows; 0 if the statement is rejected. */
    private long changed(Account account, String sql) {
        Uni<Long> changed = database.inWorkspace(account.workspaceId(),
                connection -> connection.query(sql).execute().map(done -> (long) done.rowCount()));
        return changed.onFailure(PgException.class).recoverWithItem(0L).await().indefinitely();
    }
}
