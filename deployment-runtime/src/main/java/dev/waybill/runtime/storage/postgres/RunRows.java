package dev.waybill.runtime.storage.postgres;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewestCheckpoint;
import dev.waybill.runtime.storage.RunStorage.StartedRun;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.RunStorage.ThreadHead;
import dev.waybill.runtime.storage.ThreadKey;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Statements on rows of runs that several operations share. */
final class RunRows {

    private static final String OF_DEPLOYMENT = """
              FROM runtime.runs r
              JOIN runtime.threads t ON (t.tenant_id, t.deployment_id, t.thread_key) = ($1, $2, r.thread_key)
             WHERE (r.tenant_id, r.deployment_id) = ($1, $2)
            """;
    /** Selects runs, as {@code r}, with their threads, as {@code t}. */
    static final String SELECT = "SELECT r.*, t.thread_id, t.owner" + OF_DEPLOYMENT;
    /** Selects runs without their requests, of which each may have megabytes. */
    static final String SELECT_LISTED = """
            SELECT r.run_id, r.thread_key, r.kind, r.assistant_id, r.status, r.attempt, r.replica_id, r.multitask_strategy,
                   r.metadata, ''::bytea AS request, r.run_at, r.cancel, r.error, r.created_at, r.started_at, r.updated_at,
                   t.thread_id, t.owner
            """ + OF_DEPLOYMENT;
    /** Selects the columns of {@link ActiveRun}. */
    static final String SELECT_KEYS = "SELECT r.run_id, r.thread_key, r.status" + OF_DEPLOYMENT;
    /**
     * Selects what a run needs of its thread {@code t}. The newest checkpoint is a subquery of one row; for several ones
     * PostgreSQL would read all writes of the thread.
     */
    static final String HEAD = """
            t.metadata::text AS thread_metadata, t.config::text AS thread_config,
            ARRAY(SELECT v.channel FROM runtime.thread_values v
                   WHERE (v.tenant_id, v.deployment_id, v.thread_key) = ($1, $2, t.thread_key) ORDER BY v.channel) AS channels,
            ARRAY(SELECT v.version FROM runtime.thread_values v
                   WHERE (v.tenant_id, v.deployment_id, v.thread_key) = ($1, $2, t.thread_key) ORDER BY v.channel) AS versions,
            (SELECT n.checkpoint_id || CASE WHEN EXISTS (
                        SELECT 1 FROM runtime.writes w
                         WHERE (w.tenant_id, w.deployment_id, w.thread_key, w.namespace, w.checkpoint_id)
                               = ($1, $2, t.thread_key, '', n.checkpoint_id)) THEN '+' ELSE '' END
               FROM (SELECT c.checkpoint_id FROM runtime.checkpoints c
                      WHERE (c.tenant_id, c.deployment_id, c.thread_key, c.namespace) = ($1, $2, t.thread_key, '')
                      ORDER BY c.checkpoint_id DESC LIMIT 1) n) AS newest
            """;
    /**
     * Starts the runs of {@code chosen (run_id, status, attempt)} on the replica {@code $3}, in a new attempt. A run that was
     * changed since it was chosen is left out.
     */
    static final String START_CHOSEN = """
            UPDATE runtime.runs r
               SET status = 'running', attempt = r.attempt + 1, replica_id = $3,
                   started_at = coalesce(r.started_at, @now), updated_at = @now
              FROM chosen c, runtime.threads t
             WHERE (r.tenant_id, r.deployment_id, r.run_id, r.status, r.attempt) = ($1, $2, c.run_id, c.status, c.attempt)
               AND (t.tenant_id, t.deployment_id, t.thread_key) = ($1, $2, r.thread_key)
            RETURNING r.*, t.thread_id, t.owner, r.attempt > 1 AND EXISTS (SELECT 1 FROM runtime.checkpoints p
                WHERE (p.tenant_id, p.deployment_id, p.thread_key, p.run_id) = ($1, $2, r.thread_key, r.run_id))
                AS has_checkpoint,
            """ + HEAD;
    private static final String START_NEXT = "WITH " + nextOf(" AND r.thread_key = ANY($4)") + START_CHOSEN;

    private static final int UUID_LENGTH = 36;

    private RunRows() {
    }

    /**
     * Returns the subquery {@code chosen}: the first due run of each thread without a running run, if the replica {@code $3}
     * may start it, because it is its own or its replica is lost.
     */
    static String nextOf(String condition) {
        return """
                due AS (
                    SELECT DISTINCT ON (r.thread_key) r.thread_key, r.run_id, r.status, r.attempt, r.replica_id
                      FROM runtime.runs r
                     WHERE (r.tenant_id, r.deployment_id) = ($1, $2) AND r.status = 'pending'
                       AND (r.run_at IS NULL OR r.run_at <= @now)%s
                       AND NOT EXISTS (SELECT 1 FROM runtime.runs a
                           WHERE (a.tenant_id, a.deployment_id, a.thread_key) = ($1, $2, r.thread_key) AND a.status = 'running')
                     ORDER BY r.thread_key, r.created_at, r.run_id),
                chosen AS (
                    SELECT d.thread_key, d.run_id, d.status, d.attempt FROM due d
                     WHERE d.replica_id = $3 OR NOT EXISTS (SELECT 1 FROM runtime.replicas p
                           WHERE (p.tenant_id, p.deployment_id, p.replica_id) = ($1, $2, d.replica_id)
                             AND p.lease_until > @now))
                """.formatted(condition);
    }

    /** Starts the next runs of threads that the transaction has locked. */
    static Uni<List<StartedRun>> startNext(DeploymentSql sql, SqlConnection connection, UUID replica, UUID... threads) {
        return sql.execute(connection, START_NEXT, replica, threads).map(RunRows::started);
    }

    /** Maps rows of {@link #START_CHOSEN}. */
    static List<StartedRun> started(RowSet<Row> rows) {
        return RowValues.list(rows, row -> {
            StoredRun run = run(row);
            return new StartedRun(RunFence.of(run), run, row.getBoolean("has_checkpoint"), head(row));
        });
    }

    /** Maps the columns of {@link #HEAD}. */
    static ThreadHead head(Row row) {
        String[] channels = row.getArrayOfStrings("channels");
        String[] versions = row.getArrayOfStrings("versions");
        Map<String, String> byChannel = new HashMap<>();
        for (int i = 0; i < channels.length; i++) {
            byChannel.put(channels[i], versions[i]);
        }
        String newest = row.getString("newest");
        return new ThreadHead(row.getString("thread_metadata"), row.getString("thread_config"), byChannel,
                newest == null ? new NewestCheckpoint(null, false)
                        : new NewestCheckpoint(UUID.fromString(newest.substring(0, UUID_LENGTH)), newest.endsWith("+")));
    }

    /** Maps a row of {@link #SELECT} or {@link #SELECT_LISTED}. */
    static StoredRun run(Row row) {
        ThreadKey thread = new ThreadKey(new Owner(row.getString("owner")), row.getUUID("thread_id"),
                row.getUUID("thread_key"));
        return new StoredRun(thread, row.getUUID("run_id"), RowValues.constant(Kind.class, row, "kind"),
                row.getUUID("assistant_id"), RowValues.constant(Status.class, row, "status"), row.getInteger("attempt"),
                row.getUUID("replica_id"), RowValues.constant(MultitaskStrategy.class, row, "multitask_strategy"),
                row.getString("metadata"), RowValues.bytes(row, "request"), RowValues.timeOrNull(row, "run_at"),
                RowValues.constantOrNull(CancelAction.class, row, "cancel"), row.getString("error"),
                RowValues.time(row, "created_at"), RowValues.timeOrNull(row, "started_at"), RowValues.time(row, "updated_at"));
    }

    /** Deletes runs and what they stored. */
    static Uni<Void> delete(DeploymentSql sql, SqlConnection connection, UUID[] threads, UUID[] runs) {
        return CheckpointPruning.deleteOfRuns(sql, connection, threads, runs)
                .chain(() -> sql.execute(connection, """
                        WITH deleted_events AS (
                            DELETE FROM runtime.run_events WHERE (tenant_id, deployment_id) = ($1, $2) AND run_id = ANY($3))
                        DELETE FROM runtime.runs WHERE (tenant_id, deployment_id) = ($1, $2) AND run_id = ANY($3)
                        """, (Object) runs))
                .replaceWithVoid();
    }

    /** Cancels active runs: pending ones end at once, running ones are marked for their replica. */
    static Uni<Void> cancel(DeploymentSql sql, SqlConnection connection, List<ActiveRun> active, CancelAction action) {
        UUID[] pending = active.stream().filter(run -> !run.running()).map(ActiveRun::run).toArray(UUID[]::new);
        UUID[] threads = active.stream().filter(run -> !run.running()).map(ActiveRun::thread).toArray(UUID[]::new);
        return mark(sql, connection, active.stream().filter(ActiveRun::running).map(ActiveRun::run).toArray(UUID[]::new),
                action)
                .chain(() -> switch (action) {
                    case INTERRUPT -> interrupt(sql, connection, pending);
                    case ROLLBACK -> pending.length == 0 ? Uni.createFrom().voidItem()
                            : delete(sql, connection, threads, pending);
                });
    }

    private static Uni<Void> mark(DeploymentSql sql, SqlConnection connection, UUID[] running, CancelAction action) {
        // A rollback stays one, whatever follows it.
        return running.length == 0 ? Uni.createFrom().voidItem() : sql.execute(connection, """
                UPDATE runtime.runs SET cancel = CASE WHEN cancel = 'rollback' THEN cancel ELSE $4 END, updated_at = @now
                 WHERE (tenant_id, deployment_id) = ($1, $2) AND run_id = ANY($3)
                """, running, RowValues.text(action)).replaceWithVoid();
    }

    private static Uni<Void> interrupt(DeploymentSql sql, SqlConnection connection, UUID[] pending) {
        return pending.length == 0 ? Uni.createFrom().voidItem() : sql.execute(connection, """
                UPDATE runtime.runs SET status = 'interrupted', cancel = 'interrupt', updated_at = @now
                 WHERE (tenant_id, deployment_id) = ($1, $2) AND run_id = ANY($3)
                """, (Object) pending).replaceWithVoid();
    }

    /** A locked run that is pending or running. */
    record ActiveRun(UUID run, UUID thread, boolean running) {

        /** Maps the columns run_id, thread_key and status. */
        static ActiveRun from(Row row) {
            return new ActiveRun(row.getUUID("run_id"), row.getUUID("thread_key"),
                    RowValues.constant(Status.class, row, "status") == Status.RUNNING);
        }
    }
}
