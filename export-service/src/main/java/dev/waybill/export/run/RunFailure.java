package dev.waybill.export.run;

/**
 * Why an attempt failed, as users are told in the run's {@code errors}.
 *
 * @param code a stable word for programs
 * @param message one sentence, fit for the user
 */
public record RunFailure(String code, String message) {

    /** What is told of an attempt that was not heard of any more. */
    public static final RunFailure WORKER_LOST = new RunFailure("worker_lost",
            "The worker was not heard of any more; the run was taken over.");

    /** Returns the entry of an attempt that wrote some rows without their large texts. */
    static RunFailure rowsTruncated(long rows) {
        return new RunFailure("rows_truncated", (rows == 1 ? "1 run has" : rows + " runs have")
                + " more text than a row of an export can hold; large texts are replaced by their size and SHA-256."
                + " Export again with a larger heap and `waybill.export.execution.row-size` to get them whole.");
    }
}
