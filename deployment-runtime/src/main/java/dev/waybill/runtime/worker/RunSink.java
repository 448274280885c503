package dev.waybill.runtime.worker;

import org.jspecify.annotations.Nullable;

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

    /**
     * Receives values as {@link #event} does, which have a checkpoint.
     *
     * @param checkpoint JSON object on one line that names the checkpoint
     */
    default void values(String namespace, byte[] json, byte[] checkpoint, int cost) {
        event("values", namespace, json, cost);
    }

    /**
     * Receives an event without its data, because its line was too long.
     *
     * @param mode stream mode of the event
     * @param namespace of the event
     * @param cost length of its line, and credit to release when the client has read that the event is missing
     */
    default void omitted(String mode, String namespace, int cost) {
        // Optional: only for sinks of events.
    }

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

    /**
     * Called exactly once, when the worker executes nothing of the run any more, and sends no further request of it: directly
     * after {@link #ended}, or after a cancellation when the worker has responded or has died.
     *
     * @param outcome the worker's response, which can differ from the result of a cancelled run, but not from a violation of
     *        the protocol
     */
    default void released(Outcome outcome) {
        // Optional: only for runs on threads.
    }

    /** Result of a run in its worker. */
    sealed interface Outcome {

        /**
         * The run succeeded.
         *
         * @param values final values
         * @param state state of the run's thread; null if the worker sent none
         * @param interrupt question that the run of a graph with a JSON state ended with; null: none
         */
        record Completed(JsonNode values, @Nullable JsonNode state, @Nullable JsonNode interrupt) implements Outcome {

            /** Creates the result of a run without a thread. */
            public Completed(JsonNode values) {
                this(values, null, null);
            }
        }

        /**
         * The run failed.
         *
         * @param error type of the failure
         * @param message description for the client
         * @param state state of the run's thread; null if the worker sent none
         */
        record Failed(String error, String message, @Nullable JsonNode state) implements Outcome {

            /** Creates the result of a run without a thread. */
            public Failed(String error, String message) {
                this(error, message, null);
            }
        }

        /** The run was cancelled on request; the state of its thread is null if the worker sent none. */
        record Cancelled(@Nullable JsonNode state) implements Outcome {

            /** Creates the result of a run without a thread. */
            public Cancelled() {
                this(null);
            }
        }
    }
}
