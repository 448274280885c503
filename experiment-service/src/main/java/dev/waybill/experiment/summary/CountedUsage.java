package dev.waybill.experiment.summary;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

import dev.waybill.common.database.Rows;
import dev.waybill.experiment.summary.PeriodSummary.Ancestor;
import dev.waybill.experiment.summary.PeriodSummary.RunKey;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads the usage of runs as the sums of their periods contain it: summaries list only runs that had not ended with them. */
final class CountedUsage {

    // An array of ids is one scan of the index, which most ids of ancestors that do not exist leave early.
    private static final String LOCATE = """
            SELECT place.session_id, place.id, found.start_time
            FROM (SELECT session_id, id, start_time FROM trace.run_places WHERE tenant_id = $1 AND id = ANY ($3)) AS place
                JOIN unnest($2::uuid[], $3::uuid[]) AS sought (session_id, id) USING (session_id, id)
                CROSS JOIN LATERAL (SELECT start_time FROM trace.runs
                    WHERE tenant_id = $1 AND session_id = place.session_id AND start_time = place.start_time AND id = place.id
                        AND coalesce(total_tokens, prompt_tokens, completion_tokens, total_cost, prompt_cost, completion_cost)
                            IS NOT NULL LIMIT 1) AS found
            """;

    // A run does not count if a descendant in its period has usage. Descendants have the trace of the run.
    private static final String USAGE = """
            SELECT sought.n, {values}
            FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[]) WITH ORDINALITY
                    AS sought (session_id, id, start_time, since, until, n)
                CROSS JOIN LATERAL (SELECT * FROM trace.runs
                    WHERE tenant_id = $1 AND session_id = sought.session_id AND start_time = sought.start_time AND id = sought.id
                    LIMIT 1) AS r
                CROSS JOIN LATERAL (
                    SELECT bool_or({has_tokens}) IS NOT TRUE AS count_tokens, bool_or({has_costs}) IS NOT TRUE AS count_costs
                    FROM trace.runs AS below
                    WHERE below.tenant_id = $1 AND below.trace_id = r.trace_id AND below.session_id = r.session_id
                        AND below.start_time >= sought.since AND below.start_time < sought.until
                        AND r.id = ANY (below.parent_run_ids)) AS counted
            """
            .replace("{has_tokens}", SummaryStatement.HAS_TOKENS)
            .replace("{has_costs}", SummaryStatement.HAS_COSTS)
            .replace("{values}", SummaryStatement.COUNTED_VALUES);

    private CountedUsage() {
    }

    /** Returns the ancestors that started in one of the periods, with their usage in its sums. */
    static Uni<List<CountedRun>> find(SqlConnection connection, UUID tenantId, List<Ancestor> ancestors,
            Function<RunStart, Optional<PeriodSummary>> periods) {
        return locate(connection, tenantId, ancestors)
                .map(found -> found.stream()
                        .flatMap(run -> periods.apply(run).map(period -> new Sought(run, period)).stream())
                        .toList())
                .chain(sought -> sought.isEmpty() ? Uni.createFrom().item(List.of()) : read(connection, tenantId, sought));
    }

    private static Uni<List<RunStart>> locate(SqlConnection connection, UUID tenantId, List<Ancestor> ancestors) {
        return ancestors.isEmpty() ? Uni.createFrom().item(List.of())
                : connection.preparedQuery(LOCATE)
                        .execute(Tuple.of(tenantId, sessions(ancestors.stream().map(Ancestor::key).toList()),
                                ids(ancestors.stream().map(Ancestor::key).toList())))
                        .map(rows -> Rows.list(rows,
                                row -> new RunStart(new RunKey(row.getUUID("session_id"), row.getUUID("id")),
                                        row.getOffsetDateTime("start_time").toInstant())));
    }

    private static Uni<List<CountedRun>> read(SqlConnection connection, UUID tenantId, List<Sought> sought) {
        List<RunKey> keys = sought.stream().map(one -> one.run().key()).toList();
        return connection.preparedQuery(USAGE)
                .execute(Tuple.of(tenantId, sessions(keys), ids(keys), times(sought, one -> one.run().start()),
                        times(sought, one -> one.period().start()), times(sought, one -> one.period().end())))
                .map(rows -> {
                    List<CountedRun> counted = new ArrayList<>();
                    rows.forEach(row -> {
                        Sought one = sought.get(Math.toIntExact(row.getLong("n")) - 1);
                        counted.add(new CountedRun(one.run().key(),
                                new OpenRun(one.run().key().id(), one.period().start(), usage(row))));
                    });
                    return counted;
                });
    }

    private static long[] usage(Row row) {
        return IntStream.rangeClosed(1, UsageTotals.VALUES)
                .mapToLong(i -> Optional.ofNullable(row.getLong(i)).orElse(Long.MIN_VALUE))
                .toArray();
    }

    private static UUID[] sessions(List<RunKey> keys) {
        return keys.stream().map(RunKey::sessionId).toArray(UUID[]::new);
    }

    private static UUID[] ids(List<RunKey> keys) {
        return keys.stream().map(RunKey::id).toArray(UUID[]::new);
    }

    private static OffsetDateTime[] times(List<Sought> sought, Function<Sought, Instant> time) {
        return sought.stream().map(one -> time.apply(one).atOffset(ZoneOffset.UTC)).toArray(OffsetDateTime[]::new);
    }

    /** Start of a run with usage. */
    record RunStart(RunKey key, Instant start) {
    }

    /** A run and its usage in the sums of its period. */
    record CountedRun(RunKey key, OpenRun usage) {
    }

    private record Sought(RunStart run, PeriodSummary period) {
    }
}
