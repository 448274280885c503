package dev.waybill.experiment.query;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.RunStatsByTimeResponse.RunStatsBucket;
import dev.waybill.common.database.Rows;
import dev.waybill.experiment.summary.Buckets;
import dev.waybill.experiment.summary.DurationSelection;
import dev.waybill.experiment.summary.RunFigures;
import dev.waybill.experiment.summary.RunSummaryReader;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads the time span of a session's runs and their statistics by time. */
@Singleton
class RunStatsByTimeRepository {

    // Each subquery reads one row of the primary key, in the order of the partitions.
    private static final String SPAN = """
            SELECT (SELECT start_time FROM trace.runs WHERE tenant_id = $1 AND session_id = $2
                    ORDER BY start_time, id LIMIT 1) AS first_start,
                (SELECT start_time FROM trace.runs WHERE tenant_id = $1 AND session_id = $2
                    ORDER BY start_time DESC, id DESC LIMIT 1) AS last_start
            FROM trace.sessions WHERE tenant_id = $1 AND id = $2
            """;

    private final RunSummaryReader summaries;

    RunStatsByTimeRepository(RunSummaryReader summaries) {
        this.summaries = summaries;
    }

    /** Returns when the first and the last run of a session started; empty if the session does not exist. */
    Uni<Optional<RunSpan>> findSpan(SqlConnection connection, UUID tenantId, UUID sessionId) {
        return connection.preparedQuery(SPAN)
                .execute(Tuple.of(tenantId, sessionId))
                .map(rows -> Rows.findFirst(rows, RunStatsByTimeRepository::span));
    }

    /** Returns the statistics of the buckets with runs by their index. */
    Uni<Map<Long, RunStatsBucket>> find(SqlConnection connection, RunStatsStatement statement, BucketWidth width) {
        return connection.preparedQuery(statement.text())
                .execute(statement.values())
                .map(rows -> {
                    Map<Long, RunStatsBucket> buckets = new HashMap<>();
                    rows.forEach(row -> buckets.put(row.getLong("bucket"), bucket(row, width)));
                    return buckets;
                });
    }

    /** Returns the same from hourly summaries; empty if there are none. Changes settings of the transaction. */
    Uni<Map<Long, RunStatsBucket>> findSummarized(SqlConnection connection, UUID tenantId, RunStatsByTimeQuery query,
            BucketWidth width) {
        boolean roots = Boolean.TRUE.equals(query.conditions().isRoot());
        return summaries.find(connection, tenantId, List.of(query.sessionId()), query.from(), query.to(),
                new Buckets(BucketWidth.ORIGIN, width.seconds()), roots ? DurationSelection.ROOTS : DurationSelection.ALL)
                .map(found -> {
                    Map<Long, RunStatsBucket> buckets = new HashMap<>();
                    found.bySession().getOrDefault(query.sessionId(), Map.of()).forEach((index, figures) -> {
                        RunFigures.Group group = roots ? figures.roots() : figures.all();
                        if (group.runs() > 0) {
                            buckets.put(index, bucket(width.start(index), group));
                        }
                    });
                    return buckets;
                });
    }

    private static RunStatsBucket bucket(Instant start, RunFigures.Group group) {
        return new RunStatsBucket(start, group.runs(), group.errors(), group.latency().p50(), group.latency().p99(),
                group.firstToken().p50(), group.totalTokens(), group.promptTokens(),
                group.completionTokens(), group.totalCost(), group.promptCost(), group.completionCost());
    }

    private static RunSpan span(Row row) {
        return new RunSpan(Rows.instant(row, "first_start"), Rows.instant(row, "last_start"));
    }

    private static RunStatsBucket bucket(Row row, BucketWidth width) {
        @Nullable
        Double[] latency = row.getArrayOfDoubles("latency");
        return new RunStatsBucket(width.start(row.getLong("bucket")), row.getLong("run_count"), row.getLong("error_count"),
                latency == null ? null : latency[0], latency == null ? null : latency[1], row.getDouble("first_token"),
                tokens(row, "total_tokens"), tokens(row, "prompt_tokens"), tokens(row, "completion_tokens"),
                row.getBigDecimal("total_cost"), row.getBigDecimal("prompt_cost"), row.getBigDecimal("completion_cost"));
    }

    private static @Nullable Long tokens(Row row, String column) {
        BigDecimal sum = row.getBigDecimal(column);
        return sum == null ? null : sum.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
    }

    /** Start times of the first and the last run; null without runs. */
    record RunSpan(@Nullable Instant first, @Nullable Instant last) {
    }
}
