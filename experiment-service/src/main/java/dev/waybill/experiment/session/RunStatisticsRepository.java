package dev.waybill.experiment.session;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Rows;
import dev.waybill.experiment.summary.Buckets;
import dev.waybill.experiment.summary.DurationSelection;
import dev.waybill.experiment.summary.RunFigures;
import dev.waybill.experiment.summary.RunSummaryReader;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Calculates the statistics of the runs of sessions. */
@Singleton
class RunStatisticsRepository {

    // PostgreSQL underestimates the size of the usage join; nested loops would make its cost quadratic.
    private static final String SET_LARGE_QUERY_OPTIONS = """
            SELECT set_config('work_mem', '32MB', true), set_config('jit', 'off', true), set_config('enable_nestloop', 'off', true)
            """;

    private static final String SELECT = """
            WITH above AS (
                SELECT session_id, parent.id, bool_or({tokens}) AS tokens, bool_or({costs}) AS costs
                FROM trace.runs CROSS JOIN unnest(parent_run_ids) AS parent (id)
                WHERE tenant_id = $1 AND session_id = ANY($2) AND ({tokens} OR {costs})
                GROUP BY session_id, parent.id)
            SELECT runs.session_id,
                count(*) FILTER (WHERE parent_run_id IS NULL) AS run_count,
                percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY extract(epoch FROM end_time - start_time)::float8)
                    FILTER (WHERE parent_run_id IS NULL) AS latency,
                percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP
                    (ORDER BY extract(epoch FROM first_token_time - start_time)::float8) AS first_token,
                {total_tokens}, {prompt_tokens}, {completion_tokens}, {total_cost}, {prompt_cost}, {completion_cost},
                max(start_time) FILTER (WHERE parent_run_id IS NULL) AS last_run_start_time,
                avg((status = 'error')::int::float8) FILTER (WHERE parent_run_id IS NULL) AS error_rate,
                avg((first_token_time IS NOT NULL)::int::float8) FILTER (WHERE parent_run_id IS NULL) AS streaming_rate
            FROM trace.runs LEFT JOIN above ON above.session_id = runs.session_id AND above.id = runs.id
            WHERE tenant_id = $1 AND runs.session_id = ANY($2)
            GROUP BY runs.session_id
            """
            .replace("{tokens}", "greatest(prompt_tokens, completion_tokens, total_tokens) > 0")
            .replace("{costs}", "greatest(prompt_cost, completion_cost, total_cost) > 0")
            .replaceAll("\\{(\\w+_tokens)}",
                    "sum($1) FILTER (WHERE above.tokens IS NOT TRUE) AS $1")
            .replaceAll("\\{(\\w+_cost)}", "sum($1) FILTER (WHERE above.costs IS NOT TRUE) AS $1");

    // Bounds the memory for the keys of the summaries of many sessions.
    private static final int SESSIONS_AT_ONCE = 50;

    private final RunSummaryReader summaries;

    RunStatisticsRepository(RunSummaryReader summaries) {
        this.summaries = summaries;
    }

    /** Returns the statistics by session, without sessions that have no runs; changes settings of the transaction. */
    Uni<Map<UUID, RunStatistics>> find(SqlConnection connection, UUID tenantId, UUID[] sessionIds) {
        Map<UUID, RunStatistics> statistics = new HashMap<>();
        return Multi.createFrom().items(sessionIds)
                .group().intoLists().of(SESSIONS_AT_ONCE)
                .onItem().transformToUniAndConcatenate(ids -> addSummarized(connection, tenantId, ids, statistics))
                .onItem().ignoreAsUni()
                .chain(() -> addOthers(connection, tenantId, sessionIds, statistics))
                .replaceWith(statistics);
    }

    private Uni<Void> addSummarized(SqlConnection connection, UUID tenantId, List<UUID> ids,
            Map<UUID, RunStatistics> statistics) {
        return summaries.find(connection, tenantId, ids, null, null, Buckets.ONE, DurationSelection.ROOT_LATENCIES)
                .invoke(found -> found.bySession().forEach((id, buckets) -> buckets.values()
                        .forEach(figures -> statistics.put(id, statistics(figures)))))
                .replaceWithVoid();
    }

    private static Uni<Void> addOthers(SqlConnection connection, UUID tenantId, UUID[] sessionIds,
            Map<UUID, RunStatistics> statistics) {
        List<UUID> others = Arrays.stream(sessionIds).filter(id -> !statistics.containsKey(id)).toList();
        return Multi.createFrom().iterable(others)
                .group().intoLists().of(SESSIONS_AT_ONCE)
                .onItem().transformToUniAndConcatenate(ids -> findExact(connection, tenantId, ids.toArray(UUID[]::new))
                        .invoke(statistics::putAll))
                .onItem().ignoreAsUni();
    }

    /** Returns the statistics by session without summaries, from all of its runs. */
    static Uni<Map<UUID, RunStatistics>> findExact(SqlConnection connection, UUID tenantId, UUID[] sessionIds) {
        return connection.query(SET_LARGE_QUERY_OPTIONS)
                .execute()
                .chain(() -> connection.preparedQuery(SELECT).execute(Tuple.of(tenantId, sessionIds)))
                .map(rows -> {
                    Map<UUID, RunStatistics> statistics = new HashMap<>();
                    rows.forEach(row -> statistics.put(row.getUUID("session_id"), statistics(row)));
                    return statistics;
                });
    }

    private static RunStatistics statistics(RunFigures figures) {
        RunFigures.Group roots = figures.roots();
        RunFigures.Group all = figures.all();
        return new RunStatistics(roots.runs(), roots.latency().p50(), roots.latency().p99(), all.firstToken().p50(),
                all.firstToken().p99(), all.totalTokens(), all.promptTokens(),
                all.completionTokens(), all.totalCost(), all.promptCost(), all.completionCost(), roots.lastStart(),
                roots.errorRate(), roots.streamingRate());
    }

    private static RunStatistics statistics(Row row) {
        return new RunStatistics(row.getLong("run_count"), percentile(row, "latency", 0), percentile(row, "latency", 1),
                percentile(row, "first_token", 0), percentile(row, "first_token", 1), tokens(row, "total_tokens"),
                tokens(row, "prompt_tokens"), tokens(row, "completion_tokens"), row.getBigDecimal("total_cost"),
                row.getBigDecimal("prompt_cost"), row.getBigDecimal("completion_cost"),
                Rows.instant(row, "last_run_start_time"), row.getDouble("error_rate"),
                row.getDouble("streaming_rate"));
    }

    private static @Nullable Long tokens(Row row, String column) {
        BigDecimal sum = row.getBigDecimal(column);
        return sum == null ? null : sum.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValueExact();
    }

    private static @Nullable Double percentile(Row row, String column, int index) {
        @Nullable
        Double[] percentiles = row.getArrayOfDoubles(column);
        return percentiles == null ? null : percentiles[index];
    }

    /**
     * Statistics of a session's runs. Counts, latencies and rates cover root runs; times to first token cover all runs. If
     * a run and its descendants have tokens, only the deepest runs count, likewise for costs: agents often repeat the usage
     * of their model calls.
     */
    record RunStatistics(long runCount, @Nullable Double latencyP50, @Nullable Double latencyP99,
            @Nullable Double firstTokenP50, @Nullable Double firstTokenP99, @Nullable Long totalTokens,
            @Nullable Long promptTokens, @Nullable Long completionTokens, @Nullable BigDecimal totalCost,
            @Nullable BigDecimal promptCost, @Nullable BigDecimal completionCost, @Nullable Instant lastRunStartTime,
            @Nullable Double errorRate, @Nullable Double streamingRate) {

        static final RunStatistics NO_RUNS = new RunStatistics(0, null, null, null, null, null, null, null, null, null, null,
                null,
                null, null);
    }
}
