package dev.waybill.common.trace;

/**
 * SQL for the summary of all feedback on one run by key: {@code {key: {n, avg, stdev, min, max, values: {label: n}}}}.
 * PostgreSQL builds the JSON, so that responses and exports contain the same text.
 */
public final class FeedbackSummary {

    /** Values are grouped by a prefix of this length, because they may be texts of any length. */
    public static final int MAX_LABEL_LENGTH = 250;

    /** Only the most frequent values are reported, because free text can differ each time. */
    public static final int MAX_LABELS = 1_000;

    // Sums and squares of larger scores would exceed the range of a double and fail every query of the run.
    private static final String OF_RUN = """
            (SELECT json_object_agg(by_key.key, json_build_object('n', by_key.n, 'avg', by_key.avg, 'stdev', by_key.stdev,
                'min', by_key.min, 'max', by_key.max, 'values', coalesce((
                    SELECT json_object_agg(counted.label, counted.n ORDER BY counted.n DESC, counted.label)
                    FROM (SELECT left(given.label, {maxLabelLength}) AS label, count(*) AS n FROM trace.feedback given
                        WHERE given.tenant_id = {run}.tenant_id AND given.run_id = {run}.id AND given.key = by_key.key
                            AND given.label IS NOT NULL
                        GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {maxLabels}) counted), '{}')) ORDER BY by_key.key)::text
            FROM (SELECT f.key, count(*) FILTER (WHERE f.score IS NOT NULL OR f.value IS NOT NULL) AS n,
                    avg(f.score) FILTER (WHERE abs(f.score) < 1e150) AS avg,
                    stddev_pop(f.score) FILTER (WHERE abs(f.score) < 1e150) AS stdev,
                    min(f.score) AS min, max(f.score) AS max
                FROM trace.feedback f WHERE f.tenant_id = {run}.tenant_id AND f.run_id = {run}.id
                GROUP BY f.key) by_key)"""
            .replace("{maxLabelLength}", Integer.toString(MAX_LABEL_LENGTH))
            .replace("{maxLabels}", Integer.toString(MAX_LABELS));

    private FeedbackSummary() {
    }

    /**
     * Returns an SQL expression for the summary of the run with the table alias {@code alias}, of type text; null if the run
     * has no feedback.
     */
    public static String ofRun(String alias) {
        return OF_RUN.replace("{run}", alias);
    }
}
