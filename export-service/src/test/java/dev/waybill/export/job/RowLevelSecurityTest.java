package dev.waybill.export.job;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.job.Lease;
import dev.waybill.export.run.ExportRunFile;
import dev.waybill.export.storage.PreparedUpload;
import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;

/** Threat T11: statements without a workspace condition never affect rows of another workspace, on any table. */
class RowLevelSecurityTest {

    private final ExportQueue queue = new ExportQueue(Map.of());
    private UUID mine;
    private UUID theirs;
    private List<Object> tables;

    @BeforeEach
    void bothHaveARowInEveryTable() {
        mine = workspaceWithRows();
        theirs = workspaceWithRows();
        tables = queue.queryAll("SELECT tablename FROM pg_tables WHERE schemaname = 'export'"
                + " AND tablename <> 'flyway_schema_history' ORDER BY 1");
        assertThat(tables).contains("bulk_exports", "checkpoints", "destinations", "files", "idempotency_keys", "runs",
                "receipt_keys", "uploads", "verifications");
    }

    @AfterEach
    void close() {
        queue.close();
    }

    @Test
    void rowLevelSecurityIsForcedOnEveryTable() {
        assertThat(queue.queryAll("""
                SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
                WHERE n.nspname = 'export' AND c.relkind = 'r' AND c.relname <> 'flyway_schema_history'
                    AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
                """)).isEmpty();
    }

    @Test
    void statementsWithoutTenantConditionSeeOwnRowsOnly() {
        for (Object table : tables) {
            // When
            String before = "SELECT count(*) FILTER (WHERE tenant_id = '" + theirs + "') FROM export." + table;
            long seen = number(mine, "SELECT count(*) FROM export." + table + " WHERE tenant_id <> '" + mine + "'");
            int changed = changes(mine,
                    "UPDATE export." + table + " SET tenant_id = tenant_id WHERE tenant_id = '" + theirs + "'");
            int deleted = changes(mine, "DELETE FROM export." + table + " WHERE tenant_id = '" + theirs + "'");

            // Then
            assertThat(List.of(seen, (long) changed, (long) deleted)).as("%s", table).containsOnly(0L);
            assertThat(number(theirs, before)).as("%s", table).isEqualTo(queue.query(before));
        }
    }

    @Test
    void rowsCannotBeInsertedOrMovedIntoAnotherWorkspace() {
        for (Object table : tables) {
            // When
            boolean given = await(queue.database.inWorkspace(mine, connection -> connection
                    .query("UPDATE export." + table + " SET tenant_id = '" + theirs + "'").execute())
                    .map(updated -> updated.rowCount() > 0)
                    .onFailure(PgException.class).recoverWithItem(false));

            // Then
            assertThat(given).as("%s", table).isFalse();
        }
    }

    @Test
    void connectionsWithoutWorkspaceSeeNothing() {
        for (Object table : tables) {
            assertThat((long) await(queue.database.outsideWorkspaces(connection -> connection
                    .query("SELECT count(*) FROM export." + table).execute()
                    .map(rows -> rows.iterator().next().getLong(0))))).as("%s", table).isZero();
        }
    }

    private UUID workspaceWithRows() {
        UUID workspace = queue.workspace();
        queue.create(workspace, 1);
        Lease lease = queue.claim().getFirst();
        await(queue.parts.attempts().begin(lease));
        await(queue.parts.attempts().recordUploads(lease, Map.of("upload", "key"), List.of()));
        await(queue.parts.attempts().commit(lease,
                List.of(new ExportRunFile(0, new PreparedUpload("key", "upload", "{}", 1, "00"),
                        1, 1, "00", java.time.Instant.EPOCH, java.time.Instant.EPOCH, 0)),
                ExportQueue.SEEN));
        queue.execute(
                """
                        INSERT INTO export.checkpoints SELECT tenant_id, run_id, number, key, upload, rows, bytes, sha256, min_start_time,
                            max_start_time, truncated_rows, now(), gen_random_uuid(), pg_current_snapshot(), now()
                        FROM export.files WHERE tenant_id = ?
                        """,
                workspace);
        queue.execute("""
                INSERT INTO export.verifications (tenant_id, id, export_id, files_total, bytes_total)
                SELECT tenant_id, gen_random_uuid(), id, 1, 1 FROM export.bulk_exports WHERE tenant_id = ?
                """, workspace);
        queue.execute("""
                INSERT INTO export.receipt_keys (tenant_id, id, encryption_key, public_key, private_key)
                VALUES (?, gen_random_uuid(), 'x', '', '')
                """, workspace);
        queue.execute("""
                INSERT INTO export.idempotency_keys (tenant_id, operation, key, id, attempt, request, lease_until, expires_at)
                VALUES (?, 'x', 'x', gen_random_uuid(), 1, '', now(), now())
                """, workspace);
        return workspace;
    }

    private long number(UUID workspace, String sql) {
        return await(queue.database.inWorkspace(workspace, connection -> connection.query(sql).execute()
                .map(rows -> rows.iterator().next().getLong(0))));
    }

    // The failure rolls the change back, so that later statements find the original rows.
    private int changes(UUID workspace, String sql) {
        int[] changed = new int[1];
        await(queue.database.inWorkspace(workspace, connection -> connection.query(sql).execute()
                .invoke(done -> changed[0] = done.rowCount())
                .chain(() -> Uni.createFrom().<Void> failure(new IllegalStateException("undo"))))
                .onFailure(IllegalStateException.class).recoverWithNull());
        return changed[0];
    }
}
