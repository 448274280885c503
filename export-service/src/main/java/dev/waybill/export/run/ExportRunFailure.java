package dev.waybill.export.run;

/**
 * The error of an attempt, as returned in the run's {@code errors}.
 *
 * @param code stable error code
 * @param message one sentence for the user
 */
public record ExportRunFailure(String code, String message) {

    /** The error of an attempt whose worker stopped sending heartbeats. */
    public static final ExportRunFailure WORKER_LOST = new ExportRunFailure("worker_lost",
            "The worker stopped sending heartbeats; another worker took over the run.");

    /** Returns the entry of an attempt that truncated rows. */
    static ExportRunFailure rowsTruncated(long rows) {
        return new ExportRunFailure("rows_truncated", (rows == 1 ? "1 run has" : rows + " runs have")
                + " more text than the maximum row size; large texts are replaced by their size and SHA-256."
                + " To export them completely, increase the heap and `waybill.export.execution.max-row-size`, and export again.");
    }
}
