package dev.waybill.runtime.protocol;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** A parsed line of a worker. */
public sealed interface Message {

    /**
     * An event of a run.
     *
     * @param data JSON on one line
     * @param checkpoint JSON object on one line that names the checkpoint with these values; null: none
     * @param cost credit of the run that it takes: the length of its line
     */
    record Event(UUID run, String mode, String namespace, byte[] data, byte @Nullable [] checkpoint, int cost)
            implements
                Message {
    }

    /**
     * An event whose line exceeds the maximum length, so that its data was not retained.
     *
     * @param cost credit of the run that it takes: the length of its line
     */
    record OmittedEvent(UUID run, String mode, String namespace, int cost) implements Message {
    }

    /** Start or end of a step of a run, for the run's trace. */
    record StepReport(UUID run, Step step) implements Message {
    }

    /** Result of a request to the worker. */
    record Result(long id, JsonNode result) implements Message {
    }

    /**
     * Failure of a request to the worker.
     *
     * @param error type of the failure, such as the name of an exception
     * @param state state of the run's thread, as of version 2; null if the worker sent none
     */
    record Failure(long id, int code, @Nullable String error, String message, @Nullable JsonNode state) implements Message {

        /** Creates a failure without a state. */
        public Failure(long id, int code, @Nullable String error, String message) {
            this(id, code, error, message, null);
        }
    }

    /**
     * A request of the worker, as of version 2.
     *
     * @param id number of the request, which the worker chose; {@link #NO_RESPONSE} for the one that has no response
     * @param run the run that it belongs to; null if it names none
     * @param params JSON object, not yet validated
     * @param cost length of its line
     */
    record Call(long id, @Nullable UUID run, String method, byte[] params, int cost) implements Message {

        /** Method of the checkpoints that are stored with the end of their run; it has no response. */
        public static final String LAST = "checkpoint/last";
        static final long NO_RESPONSE = Long.MIN_VALUE;

        /** Returns whether the worker expects a response. */
        public boolean hasResponse() {
            return id != NO_RESPONSE;
        }
    }

    /** A message of an unknown method, for example of a later version of the protocol. */
    record Unknown() implements Message {
    }

    /** A line that is not a message, such as output of a print statement; it is logged. */
    record Print(String text) implements Message {
    }

    /**
     * An invalid message.
     *
     * @param run the run that it belongs to, if known
     * @param id id of the request that it responds to, if known; if both are unknown, any run may have lost a message
     */
    record Invalid(String reason, @Nullable UUID run, @Nullable Long id) implements Message {
    }

    /**
     * A worker's report of a step of a run (docs/worker-protocol.md, {@code run/step}): complete, or first its start
     * and later its
     * end. Members that were not sent are null.
     *
     * @param id id from the worker; reports with the same id belong to the same step
     * @param parent id of the enclosing step; null directly below the run
     * @param inputs JSON on one line, as are {@code outputs} and {@code metadata}
     * @param cost length of its line
     */
    record Step(String id, @Nullable String parent, @Nullable String name, @Nullable String runType, Times times,
            byte @Nullable [] inputs, byte @Nullable [] outputs, byte @Nullable [] metadata, @Nullable String error, int cost) {

        /** Start and end of the step, and the time of a model's first token. */
        public record Times(@Nullable Instant start, @Nullable Instant end, @Nullable Instant firstToken) {
        }
    }
}
