package dev.waybill.controlplane.engine;

import java.time.Duration;

/** The outcome of an engine's step. */
public sealed interface Outcome {

    /** The step is done; the revision moves to its next status. */
    record Done() implements Outcome {
    }

    /**
     * The step is not done and holds no state in this replica: it is called again, and the deployment's lease is released until
     * then.
     *
     * @param message the revision's {@code status_message} until then
     * @param recheckAfter the longest time until the next call; {@link ApplicationChanged} shortens it
     */
    record InProgress(String message, Duration recheckAfter) implements Outcome {
    }

    /**
     * The step failed.
     *
     * @param reason the revision's {@code status_message}: what happened and what the user can do about it, without secrets
     * @param retryable whether a retry can succeed; retries use exponential backoff until the step's timeout
     */
    record Failed(String reason, boolean retryable) implements Outcome {

        /** Returns a failure that a retry cannot fix; the revision fails immediately. */
        public static Failed permanent(String reason) {
            return new Failed(reason, false);
        }
    }
}
