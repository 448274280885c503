package dev.waybill.controlplane.rollout.rule;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.RevisionStatus;

/** What a step has come to, ready to be written down. */
public sealed interface Verdict {

    /**
     * The revision moves on.
     *
     * @param commit what its reference was found to name; null when that was not the question
     */
    record Moved(RevisionStatus next, @Nullable String commit) implements Verdict {

        public static Moved to(RevisionStatus next) {
            return new Moved(next, null);
        }
    }

    /** The revision has failed. */
    record Failed(RevisionStatus end, String reason) implements Verdict {
    }

    /**
     * The same step again after the pause.
     *
     * @param interruptible whether a change that the engine reports ends the pause; after a failure it does not
     */
    record Again(@Nullable String message, Duration pause, boolean interruptible) implements Verdict {

        /** After a failure that may pass. */
        public Again(@Nullable String message, Duration pause) {
            this(message, pause, false);
        }
    }

    /** Whether the active revision serves, and where not, why. */
    record Observed(@Nullable String trouble) implements Verdict {
    }

    /** Nothing is left that is not wanted. */
    record Tidied() implements Verdict {
    }

    /** Nothing is left at all. */
    record Removed() implements Verdict {
    }

    /** There was nothing to do. */
    record Nothing() implements Verdict {
    }
}
