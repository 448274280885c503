package dev.waybill.runtime.protocol;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** A parsed line of a worker. */
public sealed interface Message {

    /**
     * An event of a run.
     *
     * @param data JSON on one line
     * @param cost credit of the run that it takes: the length of its line
     */
    record Event(UUID run, String mode, String namespace, byte[] data, int cost) implements Message {
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
     */
    record Failure(long id, int code, @Nullable String error, String message) implements Message {
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
}
