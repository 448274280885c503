package dev.waybill.runtime.storage.postgres;

import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;

import dev.waybill.common.id.Ids;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.ThreadKey;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;

/** Starts of runs that nothing prevents, also on new threads; one statement starts several. */
final class RunBegins {

    /**
     * Starts runs whose threads are idle, and creates missing threads. Leaves out a run that is stored already, and one whose
     * thread is locked or was changed since the start of the statement, which does not see the change.
     */
    private static final String BEGIN = """
            WITH asked AS MATERIALIZED (
                SELECT * FROM unnest($3::uuid[], $4::text[], $5::uuid[], $6::uuid[], $7::text[], $8::text[], $9::bytea[],
                                     $10::timestamptz[], $11::uuid[], $12::text[], $13::uuid[], $14::text[], $15::text[])
                       a (run_id, kind, assistant_id, replica_id, multitask_strategy, metadata, request, run_at, thread_id,
                          owner, created_key, created_metadata, created_config)
                 WHERE run_at IS NULL OR run_at <= @now),
            locked AS MATERIALIZED (
                SELECT a.run_id, s.thread_key, s.metadata, s.config, s.xmin AS version
                  FROM asked a
                  JOIN runtime.threads s
                    ON (s.tenant_id, s.deployment_id, s.thread_id, s.owner) = ($1, $2, a.thread_id, a.owner)
                   FOR NO KEY UPDATE OF s SKIP LOCKED),
            created AS (
                INSERT INTO runtime.threads (tenant_id, deployment_id, thread_id, thread_key, owner, status, metadata, config,
                                             interrupts, created_at, updated_at)
                SELECT $1, $2, a.thread_id, a.created_key, a.owner, 'idle', a.created_metadata, a.created_config, '{}', @now,
                       @now
                  FROM asked a
                 WHERE a.created_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM runtime.threads s
                       WHERE (s.tenant_id, s.deployment_id, s.thread_id) = ($1, $2, a.thread_id))
                    ON CONFLICT (tenant_id, deployment_id, thread_id) DO NOTHING
                RETURNING thread_key),
            startable AS (
                SELECT l.run_id, l.thread_key FROM locked l
                 WHERE NOT EXISTS (SELECT 1 FROM runtime.runs r
                       WHERE (r.tenant_id, r.deployment_id, r.thread_key) = ($1, $2, l.thread_key)
                         AND r.status IN ('pending', 'running')
                         AND (r.status = 'running' OR r.run_at IS NULL OR r.run_at <= @now))
                   AND EXISTS (SELECT 1 FROM runtime.threads s
                       WHERE (s.tenant_id, s.deployment_id, s.thread_key) = ($1, $2, l.thread_key) AND s.xmin = l.version)
                 UNION ALL
                SELECT a.run_id, c.thread_key FROM created c JOIN asked a ON a.created_key = c.thread_key),
            started AS (
                INSERT INTO runtime.runs (tenant_id, deployment_id, run_id, thread_key, kind, assistant_id, replica_id,
                                          multitask_strategy, metadata, request, run_at, status, attempt, created_at,
                                          started_at, updated_at)
                SELECT $1, $2, a.run_id, s.thread_key, a.kind, a.assistant_id, a.replica_id, a.multitask_strategy, a.metadata,
                       a.request, a.run_at, 'running', 1, @now, @now, @now
                  FROM startable s JOIN asked a USING (run_id)
                    ON CONFLICT DO NOTHING
                RETURNING run_id, thread_key, created_at),
            t AS (
                SELECT s.run_id, s.thread_key, s.created_at, coalesce(l.metadata, a.created_metadata) AS metadata,
                       coalesce(l.config, a.created_config) AS config
                  FROM started s JOIN asked a USING (run_id) LEFT JOIN locked l USING (run_id))
            SELECT t.run_id, t.thread_key, t.created_at,
            """ + RunRows.HEAD + " FROM t";

    /** Metadata and configuration of a thread that is created here; larger ones are checked first. */
    private static final int MAX_CREATED_LENGTH = 1024;
    /** Memory of a run without its request. */
    private static final int OVERHEAD_BYTES = 1024;

    private final DeploymentSql sql;
    private final Ids ids;
    private final CallGroups<NewRun, Optional<Begun>> groups;

    RunBegins(DeploymentSql sql, Ids ids, Context context, Semaphore overtaking) {
        this.sql = sql;
        this.ids = ids;
        this.groups = new CallGroups<>(context, this::beginAll, NewRun::thread, overtaking);
    }

    /** Starts a run; returns nothing, and stores nothing, if it has to be started with the lock of its thread. */
    Uni<Optional<Begun>> begin(NewRun run) {
        return groups.execute(run, run.request().length + OVERHEAD_BYTES);
    }

    /** Rejects further starts, and completes after those that were added before. */
    Uni<Void> close() {
        return groups.close();
    }

    private Uni<List<Optional<Begun>>> beginAll(List<NewRun> runs) {
        return sql.execute(BEGIN, parameters(runs)).map(rows -> {
            Map<UUID, Row> started = new HashMap<>();
            rows.forEach(row -> started.put(row.getUUID("run_id"), row));
            return runs.stream().map(run -> Optional.ofNullable(started.remove(run.id())).map(row -> running(run, row)))
                    .toList();
        });
    }

    /** Returns the result of a start, with the key and head of the thread and the time of the run. */
    static Begun running(NewRun run, Row started) {
        ThreadKey thread = new ThreadKey(run.owner(), run.thread(), started.getUUID("thread_key"));
        return new Begun.Running(new RunFence(thread, run.id(), 1, RowValues.time(started, "created_at")),
                RunRows.head(started));
    }

    private Object[] parameters(List<NewRun> runs) {
        return new Object[] {
                RowValues.array(runs, UUID[]::new, NewRun::id),
                RowValues.array(runs, String[]::new, run -> RowValues.text(run.kind())),
                RowValues.array(runs, UUID[]::new, NewRun::assistant),
                RowValues.array(runs, UUID[]::new, NewRun::replica),
                RowValues.array(runs, String[]::new, run -> RowValues.text(run.strategy())),
                RowValues.array(runs, String[]::new, NewRun::metadata),
                RowValues.array(runs, Buffer[]::new, run -> RowValues.buffer(run.request())),
                RowValues.array(runs, OffsetDateTime[]::new, run -> RowValues.time(run.runAt())),
                RowValues.array(runs, UUID[]::new, NewRun::thread),
                RowValues.array(runs, String[]::new, run -> run.owner().name()),
                RowValues.array(runs, UUID[]::new, run -> created(run).map(thread -> ids.newId()).orElse(null)),
                RowValues.array(runs, String[]::new, run -> created(run).map(NewThread::metadata).orElse(null)),
                RowValues.array(runs, String[]::new, run -> created(run).map(NewThread::config).orElse(null)) };
    }

    /** Returns the thread that the statement may create. */
    private static Optional<NewThread> created(NewRun run) {
        return Optional.ofNullable(run.newThread()).filter(thread -> thread.ttl() == null
                && thread.metadata().length() + thread.config().length() <= MAX_CREATED_LENGTH);
    }
}
