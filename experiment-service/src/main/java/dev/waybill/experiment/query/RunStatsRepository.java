package dev.waybill.experiment.query;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.RunStatsResponse;
import dev.waybill.common.database.Rows;
import dev.waybill.experiment.summary.Buckets;
import dev.waybill.experiment.summary.DurationSelection;
import dev.waybill.experiment.summary.RunFigures;
import dev.waybill.experiment.summary.RunSummaryReader;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Calculates the statistics of the runs that match a query; uses hourly summaries for whole sessions. */
@Singleton
class RunStatsRepository {

    /** If a session has feedback on more runs, reading all of its runs is cheaper than reading these one by one. */
    private static final int MAX_RATED_RUNS = 5_000;

    // Feedback that was received before its run has no session.
    private static final String RATED = """
            SELECT run_id FROM trace.feedback WHERE tenant_id = $1 AND session_id = $2 AND run_id IS NOT NULL
            UNION
            SELECT f.run_id FROM trace.feedback f JOIN trace.run_places p ON p.tenant_id = $1 AND p.id = f.run_id
            WHERE f.tenant_id = $1 AND f.session_id IS NULL AND p.session_id = $2
            LIMIT {max} + 1
            """.replace("{max}", Integer.toString(MAX_RATED_RUNS));

    private final RunSummaryReader summaries;

    RunStatsRepository(RunSummaryReader summaries) {
        this.summaries = summaries;
    }

    /** Returns the statistics; may change settings of the transaction. */
    Uni<RunStatsResponse> find(SqlConnection connection, UUID tenantId, RunQueryParser.RunQuery query) {
        Uni<Optional<RunStatsResponse>> summarized = query.conditions().isWholeSession()
                ? findSummarized(connection, tenantId, query)
                : Uni.createFrom().item(Optional.empty());
        return summarized.chain(found -> found.map(stats -> Uni.createFrom().item(stats))
                .orElseGet(() -> findExact(connection, tenantId, query)));
    }

    /** Returns the statistics without summaries, from all runs that match. */
    Uni<RunStatsResponse> findExact(SqlConnection connection, UUID tenantId, RunQueryParser.RunQuery query) {
        RunStatsStatement statement = RunStatsStatement.of(tenantId, query);
        return connection.preparedQuery(statement.text())
                .execute(statement.values())
                .map(rows -> stats(rows.iterator().next()));
    }

    private Uni<Optional<RunStatsResponse>> findSummarized(SqlConnection connection, UUID tenantId,
            RunQueryParser.RunQuery query) {
        return connection.preparedQuery(RATED)
                .execute(Tuple.of(tenantId, query.conditions().sessions().getFirst()))
                .map(rows -> Rows.list(rows, row -> row.getUUID(0)))
                .chain(rated -> rated.size() > MAX_RATED_RUNS ? Uni.createFrom().item(Optional.empty())
                        : findFeedback(connection, tenantId, query, rated)
                                .chain(feedback -> findSummarized(connection, tenantId, query.conditions(), feedback)));
    }

    private Uni<Optional<String>> findFeedback(SqlConnection connection, UUID tenantId, RunQueryParser.RunQuery query,
            List<UUID> rated) {
        return rated.isEmpty() ? Uni.createFrom().item(Optional.empty())
                : findExact(connection, tenantId, query.withIds(rated))
                        .map(stats -> Optional.ofNullable(stats.feedbackStats()));
    }

    private Uni<Optional<RunStatsResponse>> findSummarized(SqlConnection connection, UUID tenantId,
            RunQueryParser.Conditions conditions, Optional<String> feedback) {
        UUID session = conditions.sessions().getFirst();
        return summaries.find(connection, tenantId, List.of(session), conditions.from(), conditions.to(), Buckets.ONE,
                conditions.root() == null ? DurationSelection.ALL : DurationSelection.ROOTS)
                .map(found -> found.bySession().getOrDefault(session, Map.of()).values().stream()
                        .findFirst()
                        .map(figures -> stats(conditions.root() == null ? figures.all() : figures.roots(),
                                feedback.orElse(null))));
    }

    private static RunStatsResponse stats(RunFigures.Group group, @Nullable String feedback) {
        return new RunStatsResponse(group.runs(), group.latency().p50(), group.latency().p99(), group.firstToken().p50(),
                group.firstToken().p99(), group.totalTokens(), group.promptTokens(), group.completionTokens(),
                group.totalCost(), group.promptCost(), group.completionCost(), group.lastStart(),
                group.errorRate(), group.streamingRate(), feedback);
    }

    private static RunStatsResponse stats(Row row) {
        return new RunStatsResponse(row.getLong("run_count"), percentile(row, "latency", 0), percentile(row, "latency", 1),
                percentile(row, "first_token", 0), percentile(row, "first_token", 1), tokens(row, "total_tokens"),
                tokens(row, "prompt_tokens"), tokens(row, "completion_tokens"), row.getBigDecimal("total_cost"),
                row.getBigDecimal("prompt_cost"), row.getBigDecimal("completion_cost"),
                Rows.instant(row, "last_run_start_time"), row.getDouble("error_rate"),
                row.getDouble("streaming_rate"), row.getString("feedback_stats"));
    }

    private static @Nullable Long tokens(Row row, String column) {
        BigDecimal sum = row.getBigDecimal(column);
        return sum == null ? null : sum.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
    }

    private static @Nullable Double percentile(Row row, String column, int index) {
        @Nullable
        Double[] percentiles = row.getArrayOfDoubles(column);
        return percentiles == null ? null : percentiles[index];
    }
}
