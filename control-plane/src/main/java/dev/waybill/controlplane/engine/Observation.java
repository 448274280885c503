package dev.waybill.controlplane.engine;

/** How a deployed revision does. */
public sealed interface Observation {

    /** Healthy, and requests reach it. */
    record Serving() implements Observation {
    }

    /**
     * It crashed, is being restarted, does not answer, or cannot be seen: the revision is UNKNOWN until it serves again.
     *
     * @param reason becomes the {@code status_message}, in words and without secrets
     */
    record Failing(String reason) implements Observation {
    }
}
