package dev.waybill.experiment.comparison;

/**
 * Common table expressions of the queries on scores of experiments. Parameters: {@code $1} workspace, {@code $2}
 * experiments, {@code $3} baseline.
 */
final class ScoreSql {

    // The sums and squares of larger scores exceed the range of a double.
    private static final String IS_SCORE = "run_id IS NOT NULL AND score IS NOT NULL AND abs(score) < 1e150";

    private static final String RUNS = """
            WITH r AS (
                SELECT session_id, id, reference_example_id AS example_id FROM trace.runs
                WHERE tenant_id = $1 AND session_id = ANY($2) AND parent_run_id IS NULL AND reference_example_id IS NOT NULL)
            """;

    /** Defines {@code s}, one score per experiment, example and key; {@code condition} restricts the feedback. */
    private static String scores(String condition) {
        String feedbackCondition = IS_SCORE + condition;
        // Feedback that was received before its run has no session.
        return RUNS + """
                , f AS (
                    SELECT run_id, key, score FROM trace.feedback WHERE tenant_id = $1 AND session_id = ANY($2) AND %1$s
                    UNION ALL
                    SELECT run_id, key, score FROM trace.feedback WHERE tenant_id = $1 AND session_id IS NULL AND %1$s)
                , s AS MATERIALIZED (
                    SELECT r.session_id, r.example_id, f.key, avg(f.score) AS score
                    FROM r JOIN f ON f.run_id = r.id GROUP BY r.session_id, r.example_id, f.key)
                """.formatted(feedbackCondition);
    }

    /**
     * Defines {@code d}: {@code s} with the difference to the baseline, null if the baseline has no score. Differences
     * within the rounding error of averages are 0.
     */
    static String differences(String condition) {
        return scores(condition) + """
                , d AS (
                    SELECT s.session_id, s.example_id, s.key, s.score,
                        CASE WHEN s.session_id = $3 THEN NULL
                            WHEN abs(s.score - b.score) <= 1e-12 * greatest(abs(s.score), abs(b.score), 1e-280) THEN 0
                            ELSE s.score - b.score END AS difference
                    FROM s LEFT JOIN s b ON b.session_id = $3 AND b.example_id = s.example_id AND b.key = s.key)
                """;
    }

    /** Defines {@code r}, the root runs with a reference example. */
    static String runs() {
        return RUNS;
    }

    private ScoreSql() {
    }
}
