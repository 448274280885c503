package dev.waybill.runtime.worker;

import dev.waybill.runtime.protocol.Step;

/** Takes what comes out of a run. Called by one thread at a time, which must not be kept. */
public interface RunSink {

    /**
     * Something happened.
     *
     * @param mode the stream mode it belongs to
     * @param namespace empty, or {@code |outer|inner} for an event of a subgraph
     * @param json the data on one line
     * @param cost what is to be handed back with {@link RunHandle#consumed} when the client has it
     */
    void event(String mode, String namespace, byte[] json, int cost);

    /** These were all the events for now; called after one or more of them. */
    default void caughtUp() {
        // Whoever handles each event as it comes needs not know.
    }

    /** Part of it began or ended; only of runs that were started with {@code steps}. */
    default void step(Step step) {
        // Most sinks have not asked.
    }

    /** It is over; called exactly once, and last. */
    void ended(Outcome outcome);
}
