package dev.waybill.controlplane.engine;

/** The state of a deployed revision. */
public sealed interface Observation {

    /** The revision is healthy and reachable. */
    record Serving() implements Observation {
    }

    /**
     * The revision crashed, is restarting, does not respond, or cannot be checked; its status is UNKNOWN until it serves.
     *
     * @param reason the {@code status_message}: a sentence for the user, without secrets
     */
    record Failing(String reason) implements Observation {
    }
}
