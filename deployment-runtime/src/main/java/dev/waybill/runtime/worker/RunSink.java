package dev.waybill.runtime.worker;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.runtime.protocol.Message.Step;
import dev.waybill.runtime.worker.Workers.RunHandle;

/** Receiver of a run's events. Called by one thread at a time, which must not be blocked. */
public interface RunSink {

    /**
     * Receives an event.
     *
     * @param mode stream mode of the event
     * @param namespace empty, or {@code |outer|inner} for an event of a subgraph
     * @param json data on one line
     * @param cost credit to release with {@link RunHandle#releaseCredit} when the client has read the event
     */
    void event(String mode, String namespace, byte[] json, int cost);

    /** Called after one or more events when no further ones are available. */
    default void flush() {
        // Optional: only for sinks that batch events.
    }

    /** Receives the start or end of a step; only for runs that were started with {@code steps}. */
    default void step(Step step) {
        // Optional: only for sinks that request steps.
    }

    /** Receives the result; called exactly once, after all events. */
    void ended(Outcome outcome);

    /** Result of a run in its worker. */
    sealed interface Outcome {

        /** The run succeeded with these final values. */
        record Completed(JsonNode values) implements Outcome {
        }

        /**
         * The run failed.
         *
         * @param error type of the failure
         * @param message description for the client
         */
        record Failed(String error, String message) implements Outcome {
        }

        /** The run was cancelled on request. */
        record Cancelled() implements Outcome {
        }
    }
}
