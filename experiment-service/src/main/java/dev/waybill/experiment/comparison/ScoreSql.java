package dev.waybill.experiment.comparison;

/**
 * What all statements about the scores of experiments begin with: {@code $1} is the workspace, {@code $2} are the experiments,
 * {@code $3} is the baseline.
 */
final class ScoreSql {

    // Sums and squares of larger scores would leave the range of a double.
    private static final String IS_SCORE = "run_id IS NOT NULL AND score IS NOT NULL AND abs(score) < 1e150";

    private static final String RUNS = """
            WITH r AS (
                SELECT session_id, id, reference_example_id AS example_id FROM trace.runs
                WHERE tenant_id = $1 AND session_id = ANY($2) AND parent_run_id IS NULL AND reference_example_id IS NOT NULL)
            """;

    /** {@code s}: one score for each experiment, example and key; {@code more} narrows the feedback. */
    private static String scores(String more) {
        String isWanted = IS_SCORE + more;
        // Feedback that came before its run does not know its session.
        return RUNS + """
                , f AS (
                    SELECT run_id, key, score FROM trace.feedback WHERE tenant_id = $1 AND session_id = ANY($2) AND %1$s
                    UNION ALL
                    SELECT run_id, key, score FROM trace.feedback WHERE tenant_id = $1 AND session_id IS NULL AND %1$s)
                , s AS MATERIALIZED (
                    SELECT r.session_id, r.example_id, f.key, avg(f.score) AS score
                    FROM r JOIN f ON f.run_id = r.id GROUP BY r.session_id, r.example_id, f.key)
                """.formatted(isWanted);
    }

    /**
     * {@code d}: the same with the difference to the baseline, which is null where it has no score. What differs by no more
     * than
     * averages are inexact does not differ.
     */
    static String differences(String more) {
        return scores(more) + """
                , d AS (
                    SELECT s.session_id, s.example_id, s.key, s.score,
                        CASE WHEN s.session_id = $3 THEN NULL
                            WHEN abs(s.score - b.score) <= 1e-12 * greatest(abs(s.score), abs(b.score), 1e-280) THEN 0
                            ELSE s.score - b.score END AS difference
                    FROM s LEFT JOIN s b ON b.session_id = $3 AND b.example_id = s.example_id AND b.key = s.key)
                """;
    }

    /** {@code r}: the root runs that are of an example. */
    static String runs() {
        return RUNS;
    }

    private ScoreSql() {
    }
}
