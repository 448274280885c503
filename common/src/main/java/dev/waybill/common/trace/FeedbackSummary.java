package dev.waybill.common.trace;

/**
 * What all feedback on one run says, by key: {@code {key: {n, avg, stdev, min, max, values: {label: n}}}} as contract.md
 * "Experiment upload" has it. PostgreSQL makes the JSON, so that a run tells the same in an answer and in an export.
 */
public final class FeedbackSummary {

    /** As much of a value is told, and tells it from others; values may be texts of any length. */
    public static final int LONGEST_LABEL = 250;

    /** Free text can be different each time, so only what is frequent is told. */
    public static final int MOST_LABELS = 1_000;

    // Sums and squares of larger scores would leave the range of a double, and fail whatever reads the run.
    private static final String OF_RUN = """
            (SELECT json_object_agg(by_key.key, json_build_object('n', by_key.n, 'avg', by_key.avg, 'stdev', by_key.stdev,
                'min', by_key.min, 'max', by_key.max, 'values', coalesce((
                    SELECT json_object_agg(counted.label, counted.n ORDER BY counted.n DESC, counted.label)
                    FROM (SELECT left(given.label, {longest}) AS label, count(*) AS n FROM trace.feedback given
                        WHERE given.tenant_id = {run}.tenant_id AND given.run_id = {run}.id AND given.key = by_key.key
                            AND given.label IS NOT NULL
                        GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {most}) counted), '{}')) ORDER BY by_key.key)::text
            FROM (SELECT said.key, count(*) FILTER (WHERE said.score IS NOT NULL OR said.value IS NOT NULL) AS n,
                    avg(said.score) FILTER (WHERE abs(said.score) < 1e150) AS avg,
                    stddev_pop(said.score) FILTER (WHERE abs(said.score) < 1e150) AS stdev,
                    min(said.score) AS min, max(said.score) AS max
                FROM trace.feedback said WHERE said.tenant_id = {run}.tenant_id AND said.run_id = {run}.id
                GROUP BY said.key) by_key)"""
            .replace("{longest}", Integer.toString(LONGEST_LABEL))
            .replace("{most}", Integer.toString(MOST_LABELS));

    private FeedbackSummary() {
    }

    /** The summary of the run that stands under {@code alias}, as text; null when there is no feedback on it. */
    public static String ofRun(String alias) {
        return OF_RUN.replace("{run}", alias);
    }
}
