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
}
