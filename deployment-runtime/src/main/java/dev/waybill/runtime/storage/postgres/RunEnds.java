package dev.waybill.runtime.storage.postgres;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.FenceLostException;
import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.StartedRun;
import dev.waybill.runtime.storage.RunStorage.State;
import dev.waybill.runtime.storage.ThreadStorage.ChannelValue;
import dev.waybill.runtime.storage.postgres.DeploymentSql.Statement;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/**
 * Ends of runs, and the starts of those that wait for them. One transaction ends several runs; a run whose thread is locked is
 * ended afterwards in its own transaction, for which the others do not wait.
 */
final class RunEnds {

    /**
     * Locks threads, ends their runs, and stores status and values of the threads; changes nothing without the fence. Runs are
     * found by their key, as in {@link CheckpointGroup}.
     */
    private static final String END = """
            WITH asked AS MATERIALIZED (
                SELECT * FROM unnest($3::uuid[], $4::uuid[], $5::int[], $6::text[], $7::text[], $8::text[], $9::boolean[],
                                     $10::text[], $11::uuid[], $12::text[], $17::timestamptz[]) WITH ORDINALITY
                       a (thread_key, run_id, attempt, status, error, thread_status, has_state, interrupts, checkpoint_id,
                          channels, run_created_at, number)),
            locked AS MATERIALIZED (
                SELECT a.* FROM asked a
                  JOIN runtime.threads t ON (t.tenant_id, t.deployment_id, t.thread_key) = ($1, $2, a.thread_key)
                   FOR NO KEY UPDATE OF t SKIP LOCKED),
            ended AS (
                UPDATE runtime.runs r SET status = l.status, error = l.error, updated_at = @now
                  FROM locked l
                 WHERE (r.tenant_id, r.deployment_id, r.run_id, r.thread_key, r.attempt, r.created_at)
                       = ($1, $2, l.run_id, l.thread_key, l.attempt, l.run_created_at)
                   AND r.run_id = ANY($4) AND r.status || '' = 'running'
                RETURNING l.*),
            changed AS (
                UPDATE runtime.threads t
                   SET status = e.thread_status, error = e.error, updated_at = @now,
                       expires_at = @now + make_interval(mins => t.ttl_minutes),
                       interrupts = CASE WHEN e.has_state THEN e.interrupts ELSE t.interrupts END,
                       checkpoint_id = CASE WHEN e.has_state THEN e.checkpoint_id ELSE t.checkpoint_id END,
                       state_updated_at = CASE WHEN e.has_state THEN @now ELSE t.state_updated_at END
                  FROM ended e
                 WHERE (t.tenant_id, t.deployment_id, t.thread_key) = ($1, $2, e.thread_key)),
            removed AS (
                DELETE FROM runtime.thread_values v USING ended e
                 WHERE e.has_state AND (v.tenant_id, v.deployment_id, v.thread_key) = ($1, $2, e.thread_key)
                   AND NOT jsonb_exists(e.channels::jsonb, v.channel)),
            stored AS (
                INSERT INTO runtime.thread_values (tenant_id, deployment_id, thread_key, channel, version, value)
                SELECT $1, $2, e.thread_key, v.channel, v.version, v.value
                  FROM unnest($13::int[], $14::text[], $15::text[], $16::text[]) v (number, channel, version, value)
                  JOIN ended e USING (number)
                    ON CONFLICT (tenant_id, deployment_id, thread_key, channel)
                    DO UPDATE SET version = excluded.version, value = excluded.value)
            SELECT number FROM ended
            """;
    private static final String END_WAITING = END.replace(" SKIP LOCKED", "");

    /** Starts the next runs of threads whose runs {@code $3} the transaction has ended, on the replica of these runs. */
    private static final String START_NEXT = """
            WITH ended AS MATERIALIZED (
                SELECT r.replica_id, r.thread_key FROM runtime.runs r
                 WHERE (r.tenant_id, r.deployment_id) = ($1, $2) AND r.run_id = ANY($3)
                   AND r.xmin = pg_current_xact_id_if_assigned()::xid),
            """ + (RunRows.nextOf(" AND r.thread_key = ANY(ARRAY(SELECT e.thread_key FROM ended e))") + RunRows.START_CHOSEN)
            .replace("$3", "(SELECT e.replica_id FROM ended e LIMIT 1)");

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

    /** A stored end, with the run that it started. */
    private record Ended(Optional<StartedRun> next) {
    }

    RunEnds(DeploymentSql sql, Context context, Semaphore overtaking) {
        this.sql = sql;
        this.groups = new CallGroups<>(context, this::endAll, end -> end.fence().thread().key(), overtaking);
    }

    /** Stores the end of a run without rollback; returns the next run of its thread if it starts on this replica. */
    Uni<Optional<StartedRun>> end(RunFence fence, RunEnd end) {
        NewCheckpoint checkpoint = end.checkpoint();
        if (checkpoint != null) {
            // The thread is locked before the run, which loses its fence with its end.
            return endAlone(fence, end, new Statement(LOCK_THREAD, fence.thread().key()),
                    CheckpointGroup.storing(fence, checkpoint));
        }
        return groups.execute(new End(fence, end), bytes(end))
                .chain(ended -> ended.map(stored -> Uni.createFrom().item(stored.next()))
                        .orElseGet(() -> endAlone(fence, end)));
    }

    /** Rejects further ends, and completes after those that were added before. */
    Uni<Void> close() {
        return groups.close();
    }

    private static long bytes(RunEnd end) {
        State state = end.state();
        return OVERHEAD_BYTES
                + (state == null ? 0 : state.values().values().stream().mapToLong(value -> value.json().length()).sum());
    }

    private Uni<List<Optional<Ended>>> endAll(List<End> ends) {
        return sql.pipeline(new Statement(END, parameters(ends)), startNext(ends)).map(results -> {
            // Not by the run: an end of an earlier attempt may be in the group.
            Set<Long> ended = new HashSet<>(RowValues.list(results.getFirst(), row -> row.getLong(0)));
            Map<UUID, StartedRun> next = new HashMap<>();
            RunRows.started(results.getLast()).forEach(started -> next.put(started.fence().thread().key(), started));
            return IntStream.range(0, ends.size())
                    .mapToObj(i -> ended.contains(i + 1L)
                            ? Optional.of(new Ended(Optional.ofNullable(next.get(ends.get(i).fence().thread().key()))))
                            : Optional.<Ended> empty())
                    .toList();
        });
    }

    private Uni<Optional<StartedRun>> endAlone(RunFence fence, RunEnd end, Statement... before) {
        List<End> ends = List.of(new End(fence, end));
        List<Statement> statements = new ArrayList<>(List.of(before));
        statements.add(new Statement(END_WAITING, parameters(ends)));
        statements.add(startNext(ends));
        return sql.pipeline(statements.toArray(Statement[]::new)).map(results -> {
            RowSet<Row> ended = results.get(results.size() - 2);
            if (ended.rowCount() == 0) {
                throw new FenceLostException(fence);
            }
            return RunRows.started(results.getLast()).stream().findFirst();
        });
    }

    private static Statement startNext(List<End> ends) {
        return new Statement(START_NEXT, (Object) RowValues.array(ends, UUID[]::new, end -> end.fence().run()));
    }

    private static Object[] parameters(List<End> ends) {
        List<NewValue> values = IntStream.range(0, ends.size()).boxed()
                .flatMap(index -> NewValue.of(index + 1, ends.get(index).end().state()).stream()).toList();
        return new Object[] {
                RowValues.array(ends, UUID[]::new, end -> end.fence().thread().key()),
                RowValues.array(ends, UUID[]::new, end -> end.fence().run()),
                RowValues.array(ends, Integer[]::new, end -> end.fence().attempt()),
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
                RowValues.array(values, String[]::new, value -> value.value().json()),
                RowValues.array(ends, OffsetDateTime[]::new, end -> RowValues.time(end.fence().createdAt())) };
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
