package dev.waybill.experiment.statistics;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Calculates from the runs of sessions. */
@Singleton
class RunStatisticsRepository {

    private static final String SELECT = """
            SELECT session_id,
                count(*) FILTER (WHERE parent_run_id IS NULL) AS run_count,
                percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY extract(epoch FROM end_time - start_time)::float8)
                    FILTER (WHERE parent_run_id IS NULL) AS latency,
                percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP
                    (ORDER BY extract(epoch FROM first_token_time - start_time)::float8) AS first_token,
                sum(total_tokens)::bigint AS total_tokens, sum(prompt_tokens)::bigint AS prompt_tokens,
                sum(completion_tokens)::bigint AS completion_tokens,
                sum(total_cost) AS total_cost, sum(prompt_cost) AS prompt_cost, sum(completion_cost) AS completion_cost,
                max(start_time) FILTER (WHERE parent_run_id IS NULL) AS last_run_start_time,
                avg((status = 'error')::int::float8) FILTER (WHERE parent_run_id IS NULL) AS error_rate,
                avg((first_token_time IS NOT NULL)::int::float8) FILTER (WHERE parent_run_id IS NULL) AS streaming_rate
            FROM trace.runs WHERE tenant_id = $1 AND session_id = ANY($2)
            GROUP BY session_id
            """;

    /** By session; those without runs are left out. */
    Uni<Map<UUID, RunStatistics>> of(SqlConnection connection, UUID tenantId, UUID[] sessionIds) {
        return connection.preparedQuery(SELECT)
                .execute(Tuple.of(tenantId, sessionIds))
                .map(rows -> {
                    Map<UUID, RunStatistics> statistics = new HashMap<>();
                    rows.forEach(row -> statistics.put(row.getUUID("session_id"), statistics(row)));
                    return statistics;
                });
    }

    private static RunStatistics statistics(Row row) {
        var lastStart = row.getOffsetDateTime("last_run_start_time");
        return new RunStatistics(row.getLong("run_count"), percentile(row, "latency", 0), percentile(row, "latency", 1),
                percentile(row, "first_token", 0), percentile(row, "first_token", 1), row.getLong("total_tokens"),
                row.getLong("prompt_tokens"), row.getLong("completion_tokens"), row.getBigDecimal("total_cost"),
                row.getBigDecimal("prompt_cost"), row.getBigDecimal("completion_cost"),
                lastStart == null ? null : lastStart.toInstant(), row.getDouble("error_rate"),
                row.getDouble("streaming_rate"));
    }

    private static @Nullable Double percentile(Row row, String column, int which) {
        @Nullable
        Double[] percentiles = row.getArrayOfDoubles(column);
        return percentiles == null ? null : percentiles[which];
    }
}
