package dev.waybill.experiment.comparison;

import java.util.function.Supplier;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Common table expressions of the queries on scores of experiments. Parameters: {@code $1} workspace, {@code $2} experiments,
 * and for {@link #differences} {@code $3} baseline.
 */
final class ScoreSql {

    // Sorts and hashes up to 100,000 rows in memory. JIT compilation would take longer than the statement. Before the first
    // ANALYZE after an upload, the planner expects one row of each experiment and would join them in nested loops.
    private static final String SET_OPTIONS = """
            SELECT set_config('work_mem', '32MB', true), set_config('jit', 'off', true), set_config('enable_nestloop', 'off', true)
            """;
    private static final String ALLOW_NESTED_LOOPS = "SELECT set_config('enable_nestloop', 'on', true)";

    // The sums and squares of larger scores exceed the range of a double.
    private static final String IS_SCORE = "run_id IS NOT NULL AND score IS NOT NULL AND abs(score) < 1e150";

    private static final String RUNS = """
            WITH r AS (
                SELECT session_id, id, reference_example_id AS example_id FROM trace.runs
                WHERE tenant_id = $1 AND session_id = ANY($2) AND parent_run_id IS NULL AND reference_example_id IS NOT NULL)
            """;

    private ScoreSql() {
    }

    /** Runs queries that join all rows of experiments, with the planner options that they need. */
    static <T> Uni<T> withLargeQueryOptions(SqlConnection connection, Supplier<Uni<? extends T>> queries) {
        return connection.query(SET_OPTIONS).execute()
                .<T> chain(queries)
                .call(() -> connection.query(ALLOW_NESTED_LOOPS).execute());
    }

    /** Defines {@code r}, the root runs with a reference example. */
    static String runs() {
        return RUNS;
    }

    /** Defines {@code r}, and {@code f}, the scores of runs; {@code condition} restricts the feedback. */
    static String feedback(String condition) {
        String feedbackCondition = IS_SCORE + condition;
        // Feedback that was received before its run has no session.
        return RUNS + """
                , f AS (
                    SELECT run_id, key, score FROM trace.feedback WHERE tenant_id = $1 AND session_id = ANY($2) AND %1$s
                    UNION ALL
                    SELECT run_id, key, score FROM trace.feedback WHERE tenant_id = $1 AND session_id IS NULL AND %1$s)
                """.formatted(feedbackCondition);
    }

    /** Defines {@code s}, one score per experiment, example and key; {@code condition} restricts the feedback. */
    static String scores(String condition) {
        return feedback(condition) + """
                , s AS MATERIALIZED (
                    SELECT r.session_id, r.example_id, f.key, avg(f.score) AS score
                    FROM r JOIN f ON f.run_id = r.id GROUP BY r.session_id, r.example_id, f.key)
                """;
    }

    /** Defines {@code d}: {@code s} with the difference to the baseline, null if the baseline has no score. */
    static String differences(String condition) {
        return scores(condition) + """
                , d AS (
                    SELECT s.session_id, s.example_id, s.key, s.score,
                        CASE WHEN s.session_id = $3 THEN NULL ELSE %s END AS difference
                    FROM s LEFT JOIN s b ON b.session_id = $3 AND b.example_id = s.example_id AND b.key = s.key)
                """.formatted(difference("s.score", "b.score"));
    }

    /** Returns the difference of two scores. Differences within the rounding error of averages are 0. */
    static String difference(String score, String baseline) {
        return "CASE WHEN abs(%1$s - %2$s) <= 1e-12 * greatest(abs(%1$s), abs(%2$s), 1e-280) THEN 0 ELSE %1$s - %2$s END"
                .formatted(score, baseline);
    }
}
