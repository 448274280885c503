package dev.waybill.controlplane.rollout;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.RevisionStatus;

/** The result of a step, ready to be stored. */
sealed interface StepResult {

    /**
     * The revision moves to its next status.
     *
     * @param commit the commit that the reference resolved to; null for other steps
     */
    record Moved(RevisionStatus next, @Nullable String commit) implements StepResult {

        public static Moved to(RevisionStatus next) {
            return new Moved(next, null);
        }
    }

    /** The revision failed. */
    record Failed(RevisionStatus end, String reason) implements StepResult {
    }

    /**
     * The step is repeated after the delay.
     *
     * @param interruptible whether a change that the engine reports shortens the delay; false after a failure
     */
    record Retry(@Nullable String message, Duration delay, boolean interruptible) implements StepResult {

        /** Creates the result of a retryable failure. */
        public Retry(@Nullable String message, Duration delay) {
            this(message, delay, false);
        }
    }

    /**
     * The active revision was checked.
     *
     * @param problem the reason why it does not serve; null if it serves
     */
    record Observed(@Nullable String problem) implements StepResult {
    }

    /** All other revisions were stopped. */
    record CleanedUp() implements StepResult {
    }

    /** Everything of the deployment was removed. */
    record Removed() implements StepResult {
    }

    /** There was nothing to do. */
    record Unchanged() implements StepResult {
    }
}
