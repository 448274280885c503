package dev.waybill.runtime.storage.postgres;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.LongStream;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.ChangesRejectedException;
import dev.waybill.runtime.storage.CheckpointStorage.Change;
import dev.waybill.runtime.storage.FenceLostException;
import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.StartedRun;
import dev.waybill.runtime.storage.RunStorage.State;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.ThreadStorage.ChannelValue;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.mutiny.sqlclient.Row;

/**
 * Ends of runs, and the starts of those that wait for them. One statement ends several runs; a run whose thread is locked is
 * ended afterwards with its own statement, for which the others do not wait.
 */
final class RunEnds {

    private static final Logger LOG = Logger.getLogger(RunEnds.class);

    /**
     * Locks threads, ends their runs, stores the last checkpoints of the runs, and status and values of the threads; changes
     * nothing without the fence. Runs are found by their key, as in {@link CheckpointGroup}. Returns whether runs wait for
     * them; one that was stored at the same moment is not seen, and started by the next tick of its replica.
     */
    private static final String END = """
            WITH asked AS MATERIALIZED (
                SELECT * FROM unnest($26::uuid[], $27::uuid[], $28::int[], $29::timestamptz[], $30::text[], $31::text[],
                                     $32::text[], $33::boolean[], $34::text[], $35::uuid[], $36::text[]) WITH ORDINALITY
                       a (thread_key, run_id, attempt, run_created_at, status, error, thread_status, has_state, interrupts,
                          checkpoint_id, channels, number)),
            locked AS MATERIALIZED (
                SELECT a.* FROM asked a
                  JOIN runtime.threads t ON (t.tenant_id, t.deployment_id, t.thread_key) = ($1, $2, a.thread_key)
                   FOR NO KEY UPDATE OF t SKIP LOCKED),
            held AS (
                UPDATE runtime.runs r SET status = l.status, error = l.error, updated_at = @now
                  FROM locked l
                 WHERE (r.tenant_id, r.deployment_id, r.run_id, r.thread_key, r.attempt, r.created_at)
                       = ($1, $2, l.run_id, l.thread_key, l.attempt, l.run_created_at)
                   AND r.run_id = ANY($27) AND r.status || '' = 'running'
                RETURNING l.*, r.replica_id),
            """ + ChangeRows.INSERTS.stripTrailing() + """
            ,
            changed AS (
                UPDATE runtime.threads t
                   SET status = e.thread_status, error = e.error, updated_at = @now,
                       expires_at = @now + make_interval(mins => t.ttl_minutes),
                       interrupts = CASE WHEN e.has_state THEN e.interrupts ELSE t.interrupts END,
                       checkpoint_id = CASE WHEN e.has_state THEN e.checkpoint_id ELSE t.checkpoint_id END,
                       state_updated_at = CASE WHEN e.has_state THEN @now ELSE t.state_updated_at END
                  FROM held e
                 WHERE (t.tenant_id, t.deployment_id, t.thread_key) = ($1, $2, e.thread_key)),
            removed AS (
                DELETE FROM runtime.thread_values v USING held e
                 WHERE e.has_state AND (v.tenant_id, v.deployment_id, v.thread_key) = ($1, $2, e.thread_key)
                   AND NOT jsonb_exists(e.channels::jsonb, v.channel)),
            stored AS (
                INSERT INTO runtime.thread_values (tenant_id, deployment_id, thread_key, channel, version, value)
                SELECT $1, $2, ($26::uuid[])[v.number], v.channel, v.version, v.value
                  FROM unnest($37::int[], $38::text[], $39::text[], $40::text[]) v (number, channel, version, value)
                 WHERE (v.number IN (SELECT number FROM held)) IS TRUE
                    ON CONFLICT (tenant_id, deployment_id, thread_key, channel)
                    DO UPDATE SET version = excluded.version, value = excluded.value)
            SELECT e.number, e.replica_id, EXISTS (
                       SELECT 1 FROM runtime.runs p
                        WHERE (p.tenant_id, p.deployment_id, p.thread_key) = ($1, $2, e.thread_key) AND p.status = 'pending')
                   AS has_pending
              FROM held e
            """;
    private static final String END_WAITING = END.replace(" SKIP LOCKED", "");

    static final String LOCK_THREAD = """
            SELECT 1 FROM runtime.threads WHERE (tenant_id, deployment_id, thread_key) = ($1, $2, $3) FOR NO KEY UPDATE
            """;

    /** Memory of an end without its values. */
    private static final int OVERHEAD_BYTES = 1024;

    private final DeploymentSql sql;
    private final CallGroups<End, Optional<Ended>> groups;

    /** An end to store. */
    private record End(RunFence fence, RunEnd end) {
    }

    /** A stored end. */
    private record Ended(UUID replica, boolean hasPending) {

        static Ended from(Row row) {
            return new Ended(row.getUUID("replica_id"), row.getBoolean("has_pending"));
        }
    }

    RunEnds(DeploymentSql sql, Context context, Semaphore overtaking) {
        this.sql = sql;
        this.groups = new CallGroups<>(context, this::endAll, end -> end.fence().thread().key(), overtaking);
    }

    /** Stores the end of a run without rollback; returns the next run of its thread if it starts on this replica. */
    Uni<Optional<StartedRun>> end(RunFence fence, RunEnd end) {
        return groups.execute(new End(fence, end), bytes(end))
                .chain(ended -> ended.map(stored -> Uni.createFrom().item(stored)).orElseGet(() -> endAlone(fence, end)))
                .onFailure(failure -> !end.changes().isEmpty() && DeploymentSql.isInvalid(failure))
                .transform(failure -> new ChangesRejectedException(failure))
                .chain(ended -> ended.hasPending() ? startNext(fence, ended.replica())
                        : Uni.createFrom().item(Optional.empty()));
    }

    /** Rejects further ends, and completes after those that were added before. */
    Uni<Void> close() {
        return groups.close();
    }

    private static long bytes(RunEnd end) {
        State state = end.state();
        return OVERHEAD_BYTES + end.changes().stream().mapToLong(Change::bytes).sum()
                + (state == null ? 0 : state.values().values().stream().mapToLong(value -> value.json().length()).sum());
    }

    private Uni<List<Optional<Ended>>> endAll(List<End> ends) {
        return sql.execute(END, parameters(ends)).map(rows -> {
            // Not by the run: an end of an earlier attempt may be in the group.
            Map<Long, Ended> ended = new HashMap<>();
            rows.forEach(row -> ended.put(row.getLong("number"), Ended.from(row)));
            return LongStream.rangeClosed(1, ends.size()).mapToObj(number -> Optional.ofNullable(ended.get(number))).toList();
        });
    }

    private Uni<Ended> endAlone(RunFence fence, RunEnd end) {
        return sql.execute(END_WAITING, parameters(List.of(new End(fence, end))))
                .map(rows -> RowValues.first(rows, Ended::from).orElseThrow(() -> new FenceLostException(fence)));
    }

    /** Starts the next run of the thread. If that fails, the next tick of the replica does it: the end is stored. */
    private Uni<Optional<StartedRun>> startNext(RunFence ended, UUID replica) {
        UUID thread = ended.thread().key();
        return sql.transaction(connection -> sql.execute(connection, LOCK_THREAD, thread)
                .chain(() -> RunRows.startNext(sql, connection, replica, thread)))
                .map(started -> started.stream().findFirst())
                .onFailure(StorageException.class).recoverWithItem(failure -> {
                    LOG.warnf("could not start the next run of a thread at once: %s", failure.getMessage());
                    return Optional.empty();
                });
    }

    private static @Nullable Object[] parameters(List<End> ends) {
        ChangeRows changes = new ChangeRows();
        List<NewValue> values = new ArrayList<>();
        for (int i = 0; i < ends.size(); i++) {
            int number = i + 1;
            RunEnd end = ends.get(i).end();
            end.changes().forEach(change -> changes.add(number, change));
            values.addAll(NewValue.of(number, end.state()));
        }
        return changes.parameters(
                RowValues.array(ends, UUID[]::new, end -> end.fence().thread().key()),
                RowValues.array(ends, UUID[]::new, end -> end.fence().run()),
                RowValues.array(ends, Integer[]::new, end -> end.fence().attempt()),
                RowValues.array(ends, OffsetDateTime[]::new, end -> RowValues.time(end.fence().createdAt())),
                RowValues.array(ends, String[]::new, end -> RowValues.text(end.end().status())),
                RowValues.array(ends, String[]::new, end -> end.end().error()),
                RowValues.array(ends, String[]::new, end -> RowValues.text(end.end().thread())),
                RowValues.array(ends, Boolean[]::new, end -> end.end().state() != null),
                RowValues.array(ends, String[]::new, end -> ofState(end, State::interrupts)),
                RowValues.array(ends, UUID[]::new, end -> ofState(end, State::checkpoint)),
                RowValues.array(ends, String[]::new, end -> ofState(end, state -> JsonText.ofArray(state.channels()))),
                RowValues.array(values, Integer[]::new, NewValue::number),
                RowValues.array(values, String[]::new, NewValue::channel),
                RowValues.array(values, String[]::new, value -> value.value().version()),
                RowValues.array(values, String[]::new, value -> value.value().json()));
    }

    private static <V> @Nullable V ofState(End end, Function<State, @Nullable V> member) {
        State state = end.end().state();
        return state == null ? null : member.apply(state);
    }

    /** @param number number of the end in its group */
    private record NewValue(int number, String channel, ChannelValue value) {

        static List<NewValue> of(int number, @Nullable State state) {
            return state == null ? List.of()
                    : state.values().entrySet().stream().filter(value -> state.channels().contains(value.getKey()))
                            .map(value -> new NewValue(number, value.getKey(), value.getValue())).toList();
        }
    }
}
