package dev.waybill.controlplane.engine;

import java.time.Duration;

/** What came of a step. */
public sealed interface Outcome {

    /** The step is done: the revision moves on. */
    record Done() implements Outcome {
    }

    /**
     * Not done yet, and nothing that this replica must wait for in memory: the step is called again, and the deployment is
     * nobody's meanwhile.
     *
     * @param message becomes the revision's {@code status_message} meanwhile
     * @param lookAgain when to call again at the latest; {@link ApplicationChanged} makes it sooner
     */
    record InProgress(String message, Duration lookAgain) implements Outcome {
    }

    /**
     * @param reason becomes the revision's {@code status_message}: what happened and what the user can do about it, in words
     *        and without secrets; where a command failed with its last lines
     * @param mayPass whether trying again can help; it is tried again with growing pauses until the step's time is over
     */
    record Failed(String reason, boolean mayPass) implements Outcome {

        /** What trying again cannot mend: the revision fails now. */
        public static Failed forGood(String reason) {
            return new Failed(reason, false);
        }
    }
}
