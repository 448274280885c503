package dev.waybill.runtime.storage.postgres;

import java.util.List;
import java.util.UUID;

import dev.waybill.runtime.storage.ThreadKey;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Deletion of old checkpoints and of the values that only they have. */
final class CheckpointPruning {

    private static final String NOT_REFERENCED = """
             AND (b.thread_key, b.namespace, b.channel, b.version) NOT IN (
                SELECT c.thread_key, c.namespace, v.key, v.value
                  FROM runtime.checkpoints c CROSS JOIN LATERAL jsonb_each_text(c.versions) v
                 WHERE (c.tenant_id, c.deployment_id) = ($1, $2) AND c.thread_key = ANY($3))
            """;

    private static final String DELETE_BLOBS = """
            DELETE FROM runtime.blobs b
             WHERE (b.tenant_id, b.deployment_id) = ($1, $2) AND b.thread_key = ANY($3)
            """;
    /** A delta channel's value is the newest snapshot and all deltas after it, so the chain back to the snapshot stays. */
    private static final String PRUNE = """
            WITH numbered AS (
                SELECT c.thread_key, c.namespace, c.checkpoint_id,
                       row_number() OVER (PARTITION BY c.thread_key, c.namespace ORDER BY c.checkpoint_id DESC) AS number,
                       CASE WHEN pg_input_is_valid(c.metadata, 'jsonb')
                            THEN coalesce(c.metadata::jsonb -> 'counters_since_delta_snapshot', '{}') = '{}'
                            ELSE FALSE END AS complete
                  FROM runtime.checkpoints c
                 WHERE (c.tenant_id, c.deployment_id) = ($1, $2) AND c.thread_key = ANY($3)),
            oldest_kept AS (
                SELECT DISTINCT ON (thread_key, namespace) thread_key, namespace, checkpoint_id
                  FROM numbered WHERE number >= $4 AND complete ORDER BY thread_key, namespace, number),
            deleted_writes AS (
                DELETE FROM runtime.writes w USING oldest_kept k
                 WHERE (w.tenant_id, w.deployment_id, w.thread_key, w.namespace) = ($1, $2, k.thread_key, k.namespace)
                   AND w.checkpoint_id < k.checkpoint_id)
            DELETE FROM runtime.checkpoints c USING oldest_kept k
             WHERE (c.tenant_id, c.deployment_id, c.thread_key, c.namespace) = ($1, $2, k.thread_key, k.namespace)
               AND c.checkpoint_id < k.checkpoint_id
            """;

    private CheckpointPruning() {
    }

    /** Keeps the newest checkpoints of each namespace; does nothing while the thread has an active run. */
    static Uni<Integer> prune(DeploymentSql sql, ThreadKey thread, int keep) {
        return sql.transaction(connection -> sql.execute(connection, """
                SELECT 1 FROM runtime.threads
                 WHERE (tenant_id, deployment_id, owner, thread_key) = ($1, $2, $3, $4) FOR NO KEY UPDATE
                """, thread.owner().name(), thread.key())
                .chain(locked -> sql.execute(connection, """
                        SELECT 1 FROM runtime.runs
                         WHERE (tenant_id, deployment_id, thread_key) = ($1, $2, $3) AND status IN ('pending', 'running')
                        """, thread.key())
                        .chain(active -> locked.rowCount() == 0 || active.rowCount() > 0 ? Uni.createFrom().item(0)
                                : prune(sql, connection, List.of(thread.key()), keep))));
    }

    /** Keeps the newest checkpoints of each namespace of threads that are locked and have no active run. */
    static Uni<Integer> prune(DeploymentSql sql, SqlConnection connection, List<UUID> threads, int keep) {
        UUID[] keys = threads.toArray(UUID[]::new);
        return keys.length == 0 ? Uni.createFrom().item(0)
                : sql.execute(connection, PRUNE, keys, (long) keep)
                        .call(deleted -> deleted.rowCount() == 0 ? Uni.createFrom().voidItem()
                                : sql.execute(connection, DELETE_BLOBS + NOT_REFERENCED, (Object) keys))
                        .map(RowSet::rowCount);
    }

    /** Deletes checkpoints and writes of runs, and their versions that no other checkpoint has. */
    static Uni<Void> deleteOfRuns(DeploymentSql sql, SqlConnection connection, UUID[] threads, UUID[] runs) {
        return sql.execute(connection, """
                WITH deleted_writes AS (
                    DELETE FROM runtime.writes
                     WHERE (tenant_id, deployment_id) = ($1, $2) AND thread_key = ANY($3) AND run_id = ANY($4))
                DELETE FROM runtime.checkpoints
                 WHERE (tenant_id, deployment_id) = ($1, $2) AND thread_key = ANY($3) AND run_id = ANY($4)
                """, threads, runs)
                .chain(() -> sql.execute(connection, DELETE_BLOBS + " AND b.run_id = ANY($4)" + NOT_REFERENCED, threads, runs))
                .replaceWithVoid();
    }
}
