package dev.waybill.runtime.storage.postgres;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.Cancellation;
import dev.waybill.runtime.storage.RunStorage.CheckpointKey;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.Replica;
import dev.waybill.runtime.storage.RunStorage.ReplicaTick;
import dev.waybill.runtime.storage.RunStorage.StartedRun;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.postgres.RunRows.ActiveRun;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Starts of runs: by requests, by the tick of a replica, and as lost ones. */
final class RunStart {

    private static final String INSERT = """
            INSERT INTO runtime.runs (tenant_id, deployment_id, run_id, thread_key, kind, assistant_id, replica_id,
                                      multitask_strategy, metadata, request, run_at, status, attempt, created_at, started_at,
                                      updated_at)
            SELECT $1, $2, $3::uuid, t.thread_key, $4::text, $5::uuid, $6::uuid, $7::text, $8::text, $9::bytea,
                   $10::timestamptz,
            """;
    private static final String STARTED = "SELECT t.thread_key, r.created_at," + RunRows.HEAD + """
              FROM runtime.threads t
              JOIN runtime.runs r ON (r.tenant_id, r.deployment_id, r.run_id) = ($1, $2, $4)
             WHERE (t.tenant_id, t.deployment_id, t.thread_key) = ($1, $2, $3)
            """;
    private static final String INSERT_AS = INSERT + """
                   $12::text, $13::int, @now, CASE WHEN $12 = 'running' THEN @now END, @now
              FROM runtime.threads t WHERE (t.tenant_id, t.deployment_id, t.thread_key) = ($1, $2, $11)
            """;
    private static final String FIND = "SELECT t.thread_key, r.created_at, r.status, r.attempt, r.replica_id," + RunRows.HEAD
            + """
                      FROM runtime.runs r
                      JOIN runtime.threads t ON (t.tenant_id, t.deployment_id, t.thread_key) = ($1, $2, r.thread_key)
                     WHERE (r.tenant_id, r.deployment_id, r.run_id, t.thread_id, t.owner) = ($1, $2, $3, $4, $5)
                    """;
    /** Extends the lease of the replica {@code $3} by {@code $4} seconds, and deletes leases that have expired. */
    private static final String LEASE = """
            WITH extended AS (
                INSERT INTO runtime.replicas (tenant_id, deployment_id, replica_id, lease_until)
                VALUES ($1, $2, $3, @now + make_interval(secs => $4))
                ON CONFLICT (tenant_id, deployment_id, replica_id) DO UPDATE SET lease_until = excluded.lease_until),
            expired AS (
                DELETE FROM runtime.replicas
                 WHERE (tenant_id, deployment_id) = ($1, $2) AND replica_id <> $3 AND lease_until <= @now),
            """;
    private static final String TICK = LEASE + RunRows.nextOf("") + """
            SELECT 'due' AS kind, thread_key AS id, NULL AS action FROM chosen
             UNION ALL
            SELECT CASE WHEN cancel IS NULL THEN 'followed' ELSE 'cancelled' END, run_id, cancel FROM runtime.runs
             WHERE (tenant_id, deployment_id, replica_id) = ($1, $2, $3) AND status = 'running'
               AND (cancel IS NOT NULL OR followed_until > @now)
             UNION ALL
            SELECT 'withdrawn', w.run_id, NULL FROM unnest($5::uuid[]) w (run_id)
             WHERE NOT EXISTS (SELECT 1 FROM runtime.runs r
                   WHERE (r.tenant_id, r.deployment_id, r.run_id, r.replica_id) = ($1, $2, w.run_id, $3)
                     AND r.status IN ('pending', 'running'))
            """;
    private static final String CLAIM = LEASE + """
            chosen AS MATERIALIZED (
                SELECT r.run_id, r.status, r.attempt FROM runtime.runs r
                 WHERE (r.tenant_id, r.deployment_id) = ($1, $2) AND r.status = 'running'
                   AND CASE WHEN r.replica_id = $3
                       THEN r.updated_at <= @now - make_interval(secs => $7) AND r.run_id <> ALL($6::uuid[])
                       ELSE NOT EXISTS (SELECT 1 FROM runtime.replicas p
                           WHERE (p.tenant_id, p.deployment_id, p.replica_id) = ($1, $2, r.replica_id)
                             AND p.lease_until > @now) END
                 ORDER BY r.created_at, r.run_id LIMIT $5)
            """ + RunRows.START_CHOSEN;

    private static final Duration INITIAL_BACKOFF = Duration.ofMillis(50);
    private static final Duration MAX_BACKOFF = Duration.ofMillis(500);
    private static final int REPEATS = 3;

    private final DeploymentSql sql;
    private final PostgresThreads threads;
    private final RunBegins begins;

    RunStart(DeploymentSql sql, PostgresThreads threads, RunBegins begins) {
        this.sql = sql;
        this.threads = threads;
        this.begins = begins;
    }

    /**
     * Starts a run with others, or applies its strategy with the lock of its thread, without which the checkpoint of a fork
     * could be pruned, or the interrupts be answered, meanwhile. If a connection breaks, the run may be stored although its
     * result was lost; the repetition
     * finds it.
     */
    Uni<Begun> begin(NewRun run) {
        Uni<Optional<Begun>> together = run.fork() == null && run.asked() == null ? begins.begin(run)
                : Uni.createFrom().item(Optional.empty());
        return together
                .chain(begun -> begun.map(running -> Uni.createFrom().item(running))
                        .orElseGet(() -> sql.transaction(connection -> beginLocked(connection, run))))
                .onFailure(DeploymentSql::isUncertain).retry().withBackOff(INITIAL_BACKOFF, MAX_BACKOFF).atMost(REPEATS)
                // Mutiny wraps the last failure.
                .onFailure(IllegalStateException.class).transform(DeploymentSql::translate);
    }

    /** Returns the state of a stored run; one that was changed since waits for the tick, which reports its change. */
    private Uni<Optional<Begun>> find(SqlConnection connection, NewRun run) {
        return sql.execute(connection, FIND, run.id(), run.thread(), run.owner().name())
                .map(rows -> RowValues.first(rows, row -> stored(run, row)));
    }

    private static Begun stored(NewRun run, Row row) {
        Status status = RowValues.constant(Status.class, row, "status");
        if (status.isFinal() || !run.replica().equals(row.getUUID("replica_id"))) {
            return new Begun.Existing();
        }
        return status == Status.RUNNING && row.getInteger("attempt") == 1 ? RunBegins.running(run, row)
                : new Begun.Queued(List.of());
    }

    private static @Nullable Object[] parameters(NewRun run, Object... more) {
        List<@Nullable Object> parameters = new ArrayList<>();
        Collections.addAll(parameters, run.id(), RowValues.text(run.kind()), run.assistant(), run.replica(),
                RowValues.text(run.strategy()), run.metadata(), RowValues.buffer(run.request()), RowValues.time(run.runAt()));
        Collections.addAll(parameters, more);
        return parameters.toArray();
    }

    /** Starts a run in a transaction, or applies its strategy. */
    Uni<Begun> beginLocked(SqlConnection connection, NewRun run) {
        return (run.newThread() == null ? Uni.createFrom().item(false)
                : threads.insert(connection, run.owner(), run.newThread()))
                .chain(() -> sql.execute(connection, """
                        SELECT thread_key, interrupts FROM runtime.threads
                         WHERE (tenant_id, deployment_id, owner, thread_id) = ($1, $2, $3, $4) FOR NO KEY UPDATE
                        """, run.owner().name(), run.thread()))
                .chain(rows -> rows.rowCount() == 0 ? Uni.createFrom().item(new Begun.NoThread())
                        : find(connection, run).chain(stored -> stored.map(begun -> Uni.createFrom().item(begun)).orElseGet(
                                () -> beginAnswer(connection, run, rows.iterator().next()))));
    }

    private Uni<Begun> beginAnswer(SqlConnection connection, NewRun run, Row thread) {
        return run.asked() == null || run.asked().equals(thread.getString("interrupts"))
                ? beginFork(connection, run, thread.getUUID("thread_key"))
                : Uni.createFrom().item(new Begun.Answered());
    }

    private Uni<Begun> beginFork(SqlConnection connection, NewRun run, UUID threadKey) {
        CheckpointKey fork = run.fork();
        return fork == null ? applyStrategy(connection, run, threadKey)
                : sql.execute(connection, """
                        SELECT 1 FROM runtime.checkpoints
                         WHERE (tenant_id, deployment_id, thread_key, namespace, checkpoint_id) = ($1, $2, $3, $4, $5)
                        """, threadKey, fork.namespace(), fork.id())
                        .chain(found -> found.rowCount() == 0 ? Uni.createFrom().item(new Begun.NoCheckpoint())
                                : applyStrategy(connection, run, threadKey));
    }

    private Uni<Begun> applyStrategy(SqlConnection connection, NewRun run, UUID threadKey) {
        return queue(connection, run, threadKey).chain(queue -> {
            if (!queue.blocked()) {
                return insert(connection, run, threadKey, queue, List.of());
            }
            return switch (run.strategy()) {
                case REJECT -> Uni.createFrom().item(new Begun.Busy());
                case ENQUEUE -> insert(connection, run, threadKey, queue, List.of());
                case INTERRUPT, ROLLBACK -> cancelActive(connection, threadKey, run.strategy())
                        .chain(cancelled -> queue(connection, run, threadKey)
                                .chain(changed -> insert(connection, run, threadKey, changed, cancelled)));
            };
        });
    }

    private Uni<Queue> queue(SqlConnection connection, NewRun run, UUID threadKey) {
        return sql.execute(connection, """
                SELECT coalesce(bool_or(status = 'running' OR run_at IS NULL OR run_at <= @now), FALSE) AS blocked,
                       count(*) FILTER (WHERE status = 'pending') AS pending, $4::timestamptz IS NULL OR $4 <= @now AS due
                  FROM runtime.runs
                 WHERE (tenant_id, deployment_id, thread_key) = ($1, $2, $3) AND status IN ('pending', 'running')
                """, threadKey, RowValues.time(run.runAt()))
                .map(rows -> Queue.from(rows.iterator().next()));
    }

    /** Cancels all active runs of a thread; returns the running ones. */
    private Uni<List<UUID>> cancelActive(SqlConnection connection, UUID threadKey, MultitaskStrategy strategy) {
        CancelAction action = strategy == MultitaskStrategy.INTERRUPT ? CancelAction.INTERRUPT : CancelAction.ROLLBACK;
        return sql.execute(connection, """
                SELECT run_id, thread_key, status FROM runtime.runs
                 WHERE (tenant_id, deployment_id, thread_key) = ($1, $2, $3) AND status IN ('pending', 'running')
                 ORDER BY run_id FOR UPDATE
                """, threadKey)
                .map(rows -> RowValues.list(rows, ActiveRun::from))
                .call(active -> RunRows.cancel(sql, connection, active, action))
                .map(active -> active.stream().filter(ActiveRun::running).map(ActiveRun::run).toList());
    }

    private Uni<Begun> insert(SqlConnection connection, NewRun run, UUID threadKey, Queue queue, List<UUID> cancelled) {
        boolean starts = queue.due() && !queue.blocked();
        if (!starts && queue.pending() >= RunStorage.MAX_PENDING) {
            return Uni.createFrom().item(new Begun.Full());
        }
        Status status = starts ? Status.RUNNING : Status.PENDING;
        return sql.execute(connection, INSERT_AS, parameters(run, threadKey, RowValues.text(status), starts ? 1 : 0))
                .chain(() -> starts
                        ? sql.execute(connection, STARTED, threadKey, run.id())
                                .map(rows -> RunBegins.running(run, rows.iterator().next()))
                        : Uni.createFrom().item(new Begun.Queued(cancelled)));
    }

    /** Extends a lease; starts and returns the due runs of the replica and of lost ones. */
    Uni<ReplicaTick> renew(Replica replica) {
        return sql.execute(TICK, replica.id(), seconds(replica.lease()), replica.waiting().toArray(UUID[]::new))
                .chain(rows -> startDue(replica.id(), ids(rows, "due"))
                        .map(started -> new ReplicaTick(cancellations(rows), started, ids(rows, "withdrawn"),
                                Set.copyOf(ids(rows, "followed")))));
    }

    private Uni<List<StartedRun>> startDue(UUID replica, List<UUID> due) {
        // A thread that is locked is left to the next tick.
        return due.isEmpty() ? Uni.createFrom().item(List.of())
                : sql.transaction(connection -> sql.execute(connection, """
                        SELECT thread_key FROM runtime.threads
                         WHERE (tenant_id, deployment_id) = ($1, $2) AND thread_key = ANY($3) FOR NO KEY UPDATE SKIP LOCKED
                        """, (Object) due.toArray(UUID[]::new))
                        .map(rows -> RowValues.list(rows, row -> row.getUUID(0)))
                        .chain(locked -> RunRows.startNext(sql, connection, replica, locked.toArray(UUID[]::new))));
    }

    private static List<Cancellation> cancellations(RowSet<Row> rows) {
        return rows.stream().filter(row -> row.getString("kind").equals("cancelled"))
                .map(row -> new Cancellation(row.getUUID("id"), RowValues.constant(CancelAction.class, row, "action")))
                .toList();
    }

    private static List<UUID> ids(RowSet<Row> rows, String kind) {
        return rows.stream().filter(row -> row.getString("kind").equals(kind)).map(row -> row.getUUID("id")).toList();
    }

    /** Takes over running runs of replicas without a lease. */
    Uni<List<StartedRun>> claimLost(Replica replica, int limit) {
        return sql.execute(CLAIM, replica.id(), seconds(replica.lease()), limit, replica.known().toArray(UUID[]::new),
                seconds(RunStorage.UNKNOWN_AGE)).map(RunRows::started);
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    /**
     * Active runs of a locked thread.
     *
     * @param blocked whether a run is running or starts before a new one
     * @param due whether the new run may start now
     */
    private record Queue(boolean blocked, long pending, boolean due) {

        static Queue from(Row row) {
            return new Queue(row.getBoolean("blocked"), row.getLong("pending"), row.getBoolean("due"));
        }
    }
}
