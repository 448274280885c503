package dev.waybill.runtime.storage.postgres;

import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jboss.logging.Logger;

import dev.waybill.runtime.storage.ThreadStorage.ExpiryStrategy;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Deletes threads: what makes them visible at once, their other rows in batches. */
final class ThreadExpiry {

    private static final Logger LOG = Logger.getLogger(ThreadExpiry.class);
    /** Tables whose rows of deleted threads are deleted by the sweep. */
    private static final List<String> TABLES = List.of("thread_values", "checkpoints", "blobs", "writes", "run_events");
    private static final String SWEEP = TABLES.stream().map("""
            deleted_%1$s AS (
                DELETE FROM runtime.%1$s WHERE (tenant_id, deployment_id) = ($1, $2) AND ctid = ANY(ARRAY(
                    SELECT ctid FROM runtime.%1$s WHERE (tenant_id, deployment_id) = ($1, $2) AND thread_key = ANY($3)
                     LIMIT $4)) RETURNING 1)"""::formatted)
            .collect(Collectors.joining(", ", "WITH ", " SELECT "))
            + TABLES.stream().map("(SELECT count(*) FROM deleted_%s)"::formatted).collect(Collectors.joining(" + "));
    private static final int THREADS_PER_STEP = 50;
    /** Events of ended runs, which replicas of joined clients have read. */
    private static final String EXPIRE_EVENTS = """
            DELETE FROM runtime.run_events WHERE (tenant_id, deployment_id) = ($1, $2) AND ctid = ANY(ARRAY(
                SELECT e.ctid FROM runtime.run_events e
                  JOIN runtime.runs r ON (r.tenant_id, r.deployment_id, r.run_id) = ($1, $2, e.run_id)
                 WHERE (e.tenant_id, e.deployment_id) = ($1, $2)
                   AND r.status NOT IN ('pending', 'running') AND r.updated_at <= @now - interval '5 minutes'
                 LIMIT $3))
            """;

    private final DeploymentSql sql;

    ThreadExpiry(DeploymentSql sql) {
        this.sql = sql;
    }

    /** Deletes threads that the transaction has locked, and their runs, whose fences are lost; returns their number. */
    Uni<Integer> delete(SqlConnection connection, List<UUID> threads) {
        UUID[] keys = threads.toArray(UUID[]::new);
        return keys.length == 0 ? Uni.createFrom().item(0)
                : sql.execute(connection, """
                        WITH deleted_runs AS (
                            DELETE FROM runtime.runs WHERE (tenant_id, deployment_id) = ($1, $2) AND thread_key = ANY($3)),
                        deleted AS (
                            DELETE FROM runtime.threads WHERE (tenant_id, deployment_id) = ($1, $2) AND thread_key = ANY($3)
                            RETURNING tenant_id, deployment_id, thread_key)
                        INSERT INTO runtime.deleted_threads (tenant_id, deployment_id, thread_key) SELECT * FROM deleted
                        """, (Object) keys)
                        .replaceWith(keys.length);
    }

    /** Expires threads without active runs, then deletes rows of deleted threads. */
    Uni<Integer> expire(int limit) {
        return sql.transaction(connection -> sql.execute(connection, """
                SELECT thread_key, ttl_strategy FROM runtime.threads
                 WHERE (tenant_id, deployment_id) = ($1, $2) AND expires_at <= @now
                 ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED
                """, limit)
                .map(rows -> RowValues.list(rows, row -> new Expired(row.getUUID("thread_key"),
                        RowValues.constant(ExpiryStrategy.class, row, "ttl_strategy"))))
                .chain(expired -> withoutActiveRuns(connection, expired))
                .call(expired -> delete(connection, keys(expired, ExpiryStrategy.DELETE)))
                .call(expired -> keepLatest(connection, keys(expired, ExpiryStrategy.KEEP_LATEST))))
                .chain(expired -> sweep(expired.size(), limit))
                .chain(deleted -> expireEvents(limit).map(events -> deleted + events));
    }

    private Uni<Integer> expireEvents(int limit) {
        return sql.execute(EXPIRE_EVENTS, limit)
                .map(RowSet::rowCount)
                .onFailure().invoke(failure -> LOG.warnf("events of ended runs were not deleted: %s", failure.getMessage()))
                .onFailure().recoverWithItem(0);
    }

    /** Reads active runs after the lock: a run begins only with the lock of its thread. */
    private Uni<List<Expired>> withoutActiveRuns(SqlConnection connection, List<Expired> expired) {
        return sql.execute(connection, """
                SELECT DISTINCT thread_key FROM runtime.runs
                 WHERE (tenant_id, deployment_id) = ($1, $2) AND thread_key = ANY($3) AND status IN ('pending', 'running')
                """, (Object) expired.stream().map(Expired::key).toArray(UUID[]::new))
                .map(rows -> RowValues.list(rows, row -> row.getUUID(0)))
                .map(busy -> expired.stream().filter(thread -> !busy.contains(thread.key())).toList());
    }

    private Uni<Void> keepLatest(SqlConnection connection, List<UUID> threads) {
        // The next run or update begins the time to live again.
        return CheckpointPruning.prune(sql, connection, threads, 1)
                .chain(() -> sql.execute(connection, """
                        UPDATE runtime.threads SET expires_at = NULL
                         WHERE (tenant_id, deployment_id) = ($1, $2) AND thread_key = ANY($3)
                        """, (Object) threads.toArray(UUID[]::new)))
                .replaceWithVoid();
    }

    private Uni<Integer> sweep(int deleted, int limit) {
        return deleted >= limit ? Uni.createFrom().item(deleted)
                : sql.execute("""
                        SELECT thread_key FROM runtime.deleted_threads WHERE (tenant_id, deployment_id) = ($1, $2)
                         ORDER BY thread_key LIMIT $3
                        """, Math.min(THREADS_PER_STEP, limit - deleted))
                        .map(rows -> RowValues.list(rows, row -> row.getUUID(0)).toArray(UUID[]::new))
                        .chain(keys -> keys.length == 0 ? Uni.createFrom().item(deleted)
                                : deleteRows(keys, limit - deleted).chain(rows -> sweep(deleted + rows, limit)));
    }

    /** Deletes rows of deleted threads; if there are none, the threads are done. */
    private Uni<Integer> deleteRows(UUID[] keys, int limit) {
        return sql.execute(SWEEP, keys, Math.max(1, limit / TABLES.size()))
                .map(rows -> rows.iterator().next().getLong(0).intValue())
                .chain(deleted -> deleted > 0 ? Uni.createFrom().item(deleted) : sql.execute("""
                        DELETE FROM runtime.deleted_threads WHERE (tenant_id, deployment_id) = ($1, $2) AND thread_key = ANY($3)
                        """, (Object) keys).replaceWith(keys.length));
    }

    private static List<UUID> keys(List<Expired> expired, ExpiryStrategy strategy) {
        return expired.stream().filter(thread -> thread.strategy() == strategy).map(Expired::key).toList();
    }

    private record Expired(UUID key, ExpiryStrategy strategy) {
    }
}
