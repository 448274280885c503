package dev.waybill.runtime.storage.postgres;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.FenceLostException;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.postgres.RunRows.ActiveRun;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Runs on threads in PostgreSQL. The start and the end of a run lock its thread first, so that no run is overlooked as the
 * next one; the index of running runs decides what remains.
 */
final class PostgresRuns implements RunStorage {

    private static final String OF_FENCE = """
             WHERE (tenant_id, deployment_id, thread_key, run_id, attempt, created_at) = ($1, $2, $3, $4, $5, $6)
               AND status = 'running'
            """;

    /** Chunks of one read. */
    private static final int MAX_CHUNKS = 16;
    /** Size of the chunks of a read from which on no further one is added. */
    private static final long MAX_READ = 1 << 20;
    /** Pending runs that one transaction deletes. */
    private static final int MAX_ROLLED_BACK = 50;

    private final DeploymentSql sql;
    private final RunStart start;
    private final RunEnds ends;

    PostgresRuns(DeploymentSql sql, RunStart start, RunEnds ends) {
        this.sql = sql;
        this.start = start;
        this.ends = ends;
    }

    @Override
    public Uni<Begun> begin(NewRun run) {
        return start.begin(run);
    }

    @Override
    public Uni<Optional<StartedRun>> end(RunFence fence, RunEnd end) {
        return end.rollback() ? rollBack(fence) : ends.end(fence, end);
    }

    private Uni<Optional<StartedRun>> rollBack(RunFence fence) {
        return sql.transaction(connection -> sql.execute(connection, RunEnds.LOCK_THREAD, fence.thread().key())
                .chain(() -> sql.execute(connection, "SELECT replica_id FROM runtime.runs" + OF_FENCE + "FOR UPDATE",
                        fenced(fence)))
                .map(rows -> requireFence(rows, fence).iterator().next().getUUID(0))
                .call(() -> deleteRun(connection, fence))
                .chain(replica -> RunRows.startNext(sql, connection, replica, fence.thread().key()))
                .map(started -> started.stream().findFirst()));
    }

    private Uni<Void> deleteRun(SqlConnection connection, RunFence fence) {
        return RunRows.delete(sql, connection, new UUID[] { fence.thread().key() }, new UUID[] { fence.run() });
    }

    @Override
    public Uni<Void> release(RunFence fence) {
        return sql.execute("UPDATE runtime.runs SET status = 'pending', updated_at = @now" + OF_FENCE, fenced(fence))
                .invoke(rows -> requireFence(rows, fence))
                .replaceWithVoid();
    }

    /** Returns the parameters of {@link #OF_FENCE}, and further ones. */
    private static @Nullable Object[] fenced(RunFence fence, Object... more) {
        List<@Nullable Object> parameters = new ArrayList<>(List.of(fence.thread().key(), fence.run(), fence.attempt()));
        parameters.add(RowValues.time(fence.createdAt()));
        Collections.addAll(parameters, more);
        return parameters.toArray();
    }

    private static RowSet<Row> requireFence(RowSet<Row> rows, RunFence fence) {
        if (rows.rowCount() == 0) {
            throw new FenceLostException(fence);
        }
        return rows;
    }

    @Override
    public Uni<Optional<StoredRun>> find(Owner owner, UUID thread, UUID run) {
        return sql.execute(RunRows.SELECT + "AND r.run_id = $3 AND t.thread_id = $4 AND t.owner = $5", run, thread,
                owner.name())
                .map(rows -> RowValues.first(rows, RunRows::run));
    }

    @Override
    public Uni<Set<UUID>> findActive(Collection<UUID> runs) {
        return sql.execute("""
                SELECT run_id FROM runtime.runs
                 WHERE (tenant_id, deployment_id) = ($1, $2) AND run_id = ANY($3) AND status IN ('pending', 'running')
                """, (Object) runs.toArray(UUID[]::new))
                .map(rows -> Set.copyOf(RowValues.list(rows, row -> row.getUUID(0))));
    }

    @Override
    public Uni<List<StoredRun>> list(Owner owner, UUID thread, RunFilter filter) {
        return sql.execute(RunRows.SELECT_LISTED + """
                   AND t.owner = $3 AND t.thread_id = $4 AND r.kind = 'run' AND ($5::text IS NULL OR r.status = $5)
                 ORDER BY r.created_at DESC, r.run_id DESC LIMIT $6 OFFSET $7
                """, owner.name(), thread, RowValues.textOrNull(filter.status()), filter.limit(), filter.offset())
                .map(rows -> RowValues.list(rows, RunRows::run));
    }

    @Override
    public Uni<Deletion> delete(Owner owner, UUID thread, UUID run) {
        return sql.transaction(connection -> sql.execute(connection, RunRows.SELECT
                + "AND r.run_id = $3 AND t.thread_id = $4 AND t.owner = $5 FOR UPDATE OF r, t", run, thread, owner.name())
                .map(rows -> RowValues.first(rows, RunRows::run))
                .chain(found -> delete(connection, found)));
    }

    private Uni<Deletion> delete(SqlConnection connection, Optional<StoredRun> found) {
        if (found.isEmpty()) {
            return Uni.createFrom().item(Deletion.MISSING);
        }
        UUID thread = found.get().thread().key();
        return sql.execute(connection, """
                SELECT 1 FROM runtime.runs
                 WHERE (tenant_id, deployment_id, thread_key) = ($1, $2, $3) AND status = 'running'
                """, thread)
                .chain(running -> running.rowCount() > 0 || !found.get().status().isFinal()
                        ? Uni.createFrom().item(Deletion.ACTIVE)
                        : RunRows.delete(sql, connection, new UUID[] { thread }, new UUID[] { found.get().id() })
                                .replaceWith(Deletion.DELETED));
    }

    @Override
    public Uni<Integer> requestCancel(Owner owner, RunSelection selection, CancelAction action) {
        Conditions active = new Conditions()
                .add(" AND t.owner = ? AND r.kind = 'run' AND r.status IN ('pending', 'running')", owner.name())
                .addIfPresent(" AND t.thread_id = ?", selection.thread())
                .addIfPresent(" AND r.status = ?", RowValues.textOrNull(selection.status()));
        if (!selection.runs().isEmpty()) {
            active.add(" AND r.run_id = ANY(?)", (Object) selection.runs().toArray(UUID[]::new));
        }
        return (action == CancelAction.INTERRUPT ? cancel(active, action) : rollBack(active)).map(List::size);
    }

    /** Cancels the selected runs in one transaction; returns their ids. */
    private Uni<List<UUID>> cancel(Conditions selected, CancelAction action) {
        String locking = selected.add(" ORDER BY r.run_id FOR UPDATE OF r").sql(RunRows.SELECT_KEYS);
        return sql.transaction(connection -> sql.execute(connection, locking, selected.parameters())
                .map(rows -> RowValues.list(rows, ActiveRun::from))
                .call(runs -> RunRows.cancel(sql, connection, runs, action))
                .map(runs -> runs.stream().map(ActiveRun::run).toList()));
    }

    /**
     * Marks the selected running runs, whose writes wait for the transaction, and then deletes pending ones in several
     * transactions, because that takes long with many checkpoints; returns their ids.
     */
    private Uni<List<UUID>> rollBack(Conditions selected) {
        return sql.execute(selected.sql(RunRows.SELECT_KEYS), selected.parameters())
                .map(rows -> rolledBackTogether(RowValues.list(rows, ActiveRun::from)))
                .chain(groups -> Multi.createFrom().iterable(groups)
                        .onItem().transformToUniAndConcatenate(runs -> cancel(
                                selected.copy().add(" AND r.run_id = ANY(?)", (Object) runs), CancelAction.ROLLBACK))
                        .collect().asList())
                .map(cancelled -> cancelled.stream().flatMap(List::stream).distinct().toList());
    }

    private static List<UUID[]> rolledBackTogether(List<ActiveRun> runs) {
        UUID[] running = runs.stream().filter(ActiveRun::running).map(ActiveRun::run).toArray(UUID[]::new);
        UUID[] pending = runs.stream().filter(run -> !run.running()).map(ActiveRun::run).toArray(UUID[]::new);
        List<UUID[]> groups = new ArrayList<>();
        if (running.length > 0) {
            groups.add(running);
        }
        for (int from = 0; from < pending.length; from += MAX_ROLLED_BACK) {
            groups.add(Arrays.copyOfRange(pending, from, Math.min(from + MAX_ROLLED_BACK, pending.length)));
        }
        return groups;
    }

    @Override
    public Uni<ReplicaTick> renew(Replica replica) {
        return start.renew(replica);
    }

    @Override
    public Uni<List<StartedRun>> claimLost(Replica replica, int limit) {
        return start.claimLost(replica, limit);
    }

    @Override
    public Uni<Void> leave(UUID replica) {
        return sql.execute("DELETE FROM runtime.replicas WHERE (tenant_id, deployment_id, replica_id) = ($1, $2, $3)", replica)
                .replaceWithVoid();
    }

    @Override
    public Uni<Void> follow(Owner owner, UUID thread, UUID run, Duration time) {
        return sql.execute("""
                UPDATE runtime.runs r SET followed_until = @now + make_interval(secs => $6)
                  FROM runtime.threads t
                 WHERE (r.tenant_id, r.deployment_id, r.run_id) = ($1, $2, $5) AND r.status IN ('pending', 'running')
                   AND (t.tenant_id, t.deployment_id, t.thread_key) = ($1, $2, r.thread_key)
                   AND t.owner = $3 AND t.thread_id = $4
                """, owner.name(), thread, run, time.toMillis() / 1000.0).replaceWithVoid();
    }

    @Override
    public Uni<Void> discardEvents(RunFence fence) {
        return sql.execute("WITH fence AS (SELECT 1 FROM runtime.runs" + OF_FENCE + """
                    FOR SHARE),
                discarded AS (
                    DELETE FROM runtime.run_events e USING fence
                     WHERE (e.tenant_id, e.deployment_id, e.run_id) = ($1, $2, $4))
                SELECT 1 FROM fence
                """, fenced(fence))
                .invoke(rows -> requireFence(rows, fence))
                .replaceWithVoid();
    }

    @Override
    public Uni<Void> appendEvents(RunFence fence, List<EventChunk> chunks) {
        return sql.execute("WITH fence AS (SELECT 1 FROM runtime.runs" + OF_FENCE + """
                    FOR SHARE),
                stored AS (
                    INSERT INTO runtime.run_events (tenant_id, deployment_id, run_id, thread_key, first_number, last_number,
                                                    chunk)
                    SELECT $1, $2, $4, $3, c.* FROM unnest($7::bigint[], $8::bigint[], $9::bytea[]) c CROSS JOIN fence
                        ON CONFLICT (tenant_id, deployment_id, run_id, first_number)
                        DO UPDATE SET last_number = excluded.last_number, chunk = excluded.chunk,
                                      thread_key = excluded.thread_key
                        WHERE excluded.last_number >= run_events.last_number OR excluded.thread_key <> run_events.thread_key)
                SELECT 1 FROM fence
                """, fenced(fence,
                RowValues.array(chunks, Long[]::new, EventChunk::first),
                RowValues.array(chunks, Long[]::new, EventChunk::last),
                RowValues.array(chunks, Buffer[]::new, chunk -> RowValues.buffer(chunk.events()))))
                .invoke(rows -> requireFence(rows, fence))
                .replaceWithVoid();
    }

    @Override
    public Uni<Optional<EventChunks>> readEvents(Owner owner, UUID run, long after) {
        // The status first: after the end of a run, no more events are stored. A run of a deleted thread, whose events are
        // deleted later, may have the same id, because of the same idempotency key.
        return sql.execute("""
                SELECT r.status, r.thread_key FROM runtime.runs r
                  JOIN runtime.threads t ON (t.tenant_id, t.deployment_id, t.thread_key) = ($1, $2, r.thread_key)
                 WHERE (r.tenant_id, r.deployment_id, r.run_id, t.owner) = ($1, $2, $3, $4)
                """, run, owner.name())
                .chain(rows -> RowValues.first(rows, row -> readEvents(row.getUUID("thread_key"), run, after,
                        RowValues.constant(Status.class, row, "status").isFinal()).map(Optional::of))
                        .orElseGet(() -> Uni.createFrom().item(Optional.empty())));
    }

    private Uni<EventChunks> readEvents(UUID thread, UUID run, long after, boolean ended) {
        return sql.execute("""
                SELECT first_number, last_number, chunk, found FROM (
                    SELECT c.*, count(*) OVER () AS found,
                           sum(octet_length(chunk)) OVER (ORDER BY first_number) - octet_length(chunk) AS bytes_before
                      FROM (SELECT first_number, last_number, chunk FROM runtime.run_events
                             WHERE (tenant_id, deployment_id, run_id, thread_key) = ($1, $2, $3, $7) AND last_number > $4
                             ORDER BY first_number LIMIT $5) c) sized
                 WHERE bytes_before < $6
                 ORDER BY first_number
                """, run, after, MAX_CHUNKS + 1, MAX_READ, thread)
                .map(rows -> page(rows, ended));
    }

    private static EventChunks page(RowSet<Row> rows, boolean ended) {
        List<EventChunk> chunks = RowValues.list(rows, row -> new EventChunk(row.getLong(0), row.getLong(1),
                RowValues.bytes(row, "chunk")));
        long found = chunks.isEmpty() ? 0 : rows.iterator().next().getLong("found");
        List<EventChunk> page = chunks.subList(0, Math.min(MAX_CHUNKS, chunks.size()));
        return new EventChunks(page, ended && page.size() == found);
    }
}
