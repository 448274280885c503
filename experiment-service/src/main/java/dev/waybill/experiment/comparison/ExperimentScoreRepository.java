package dev.waybill.experiment.comparison;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Aggregates the scores of experiments and their differences to the baseline in one pass. */
@Singleton
class ExperimentScoreRepository {

    private static final String RUNS = """
            SELECT session_id, count(*) AS run_count,
                percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM end_time - start_time)::float8) AS latency_p50,
                avg((status = 'error')::int::float8) AS error_rate
            FROM trace.runs WHERE tenant_id = $1 AND session_id = ANY($2) AND parent_run_id IS NULL
            GROUP BY session_id
            """;
    private static final String KEYS = ScoreSql.differences("")
            + """
                    SELECT session_id, key, count(*) AS n, avg(score) AS avg, stddev_pop(score) AS stdev,
                        count(difference) AS pairs, avg(difference) AS mean, stddev_samp(difference) AS spread,
                        count(*) FILTER (WHERE difference > 0) AS higher, count(*) FILTER (WHERE difference < 0) AS lower,
                        CASE WHEN count(difference) <= %s THEN array_agg(difference) FILTER (WHERE difference IS NOT NULL) END AS differences
                    FROM d GROUP BY session_id, key ORDER BY session_id, key
                    """
                    .formatted(PairedDifferences.MAX_VALUES);

    /** Returns the scores of the experiments in the order of the scope. */
    Uni<List<ExperimentScores>> find(SqlConnection connection, ComparisonScopeService.ComparisonScope scope) {
        Map<UUID, Map<String, ExperimentScores.FeedbackKeyScores>> keys = new HashMap<>();
        return ScoreSql.withLargeQueryOptions(connection, () -> connection.preparedQuery(KEYS)
                .execute(Tuple.of(scope.tenantId(), scope.ids(), scope.baseline()))
                .invoke(rows -> rows.forEach(row -> keys
                        .computeIfAbsent(row.getUUID("session_id"), id -> new LinkedHashMap<>())
                        .put(row.getString("key"), keyScores(row))))
                .chain(() -> connection.preparedQuery(RUNS).execute(Tuple.of(scope.tenantId(), scope.ids())))
                .map(rows -> {
                    Map<UUID, Row> runs = new HashMap<>();
                    rows.forEach(row -> runs.put(row.getUUID("session_id"), row));
                    return scope.experiments().stream()
                            .map(one -> experiment(one, runs.get(one.id()), keys.getOrDefault(one.id(), Map.of())))
                            .toList();
                }));
    }

    private static ExperimentScores experiment(ComparisonScopeService.ComparisonScope.Experiment experiment, @Nullable Row runs,
            Map<String, ExperimentScores.FeedbackKeyScores> keys) {
        return runs == null
                ? new ExperimentScores(experiment.id(), experiment.name(), 0, null, null, keys)
                : new ExperimentScores(experiment.id(), experiment.name(), runs.getLong("run_count"),
                        runs.getDouble("latency_p50"), runs.getDouble("error_rate"), keys);
    }

    private static ExperimentScores.FeedbackKeyScores keyScores(Row row) {
        long pairs = row.getLong("pairs");
        PairedDifferences differences = new PairedDifferences(pairs, pairs == 0 ? 0 : row.getDouble("mean"),
                row.getDouble("spread"), values(row, pairs));
        return new ExperimentScores.FeedbackKeyScores(row.getString("key"), row.getLong("n"), row.getDouble("avg"),
                row.getDouble("stdev"),
                differences, row.getLong("higher"), row.getLong("lower"));
    }

    private static double @Nullable [] values(Row row, long pairs) {
        if (pairs > PairedDifferences.MAX_VALUES) {
            return null;
        }
        Double[] boxed = row.getArrayOfDoubles("differences");
        double[] values = new double[boxed == null ? 0 : boxed.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = boxed[i];
        }
        return values;
    }
}
