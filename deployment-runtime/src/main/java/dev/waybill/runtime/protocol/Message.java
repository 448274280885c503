package dev.waybill.runtime.protocol;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** A line that a worker sent, understood. */
public sealed interface Message {

    /**
     * Something happened in a run.
     *
     * @param data JSON on one line
     * @param cost what it takes of the run's credit: the length of its line
     */
    record Event(UUID run, String mode, String namespace, byte[] data, int cost) implements Message {
    }

    /** A part of a run began or ended, for the run's trace. */
    record Told(UUID run, Step step) implements Message {
    }

    /** A request of ours was answered. */
    record Result(long id, JsonNode result) implements Message {
    }

    /**
     * A request of ours failed.
     *
     * @param error the kind of failure, such as an exception's name
     */
    record Failure(long id, int code, @Nullable String error, String message) implements Message {
    }

    /** A message that later versions may know. */
    record Unknown() implements Message {
    }

    /** Not a message but a line for the log, such as a program's stray print. */
    record Print(String text) implements Message {
    }

    /**
     * A message that cannot be understood.
     *
     * @param run whose it was, where that can be made out
     * @param id which request of ours it answered, where that can be made out; when neither can, any run may have lost
     *        something
     */
    record Broken(String reason, @Nullable UUID run, @Nullable Long id) implements Message {
    }
}
