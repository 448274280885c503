package dev.waybill.runtime.run;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionException;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.event.Json;

/**
 * Reason for the failure of a run, as in the final event of its stream.
 *
 * @param error type, such as the name of an exception
 * @param message description
 */
public record RunError(String error, String message) {

    private static final Logger LOG = Logger.getLogger(RunError.class);
    private static final String ERROR = "error";
    private static final String MESSAGE = "message";

    public static final RunError CANCELLED = new RunError("Cancelled", "The run was cancelled.");
    static final RunError STOPPED = new RunError("RuntimeStopped",
            "The runtime was shut down before the run ended; start the run again.");

    static final RunError LOST = new RunError("RunLost",
            "The run was taken over by another replica, or it was deleted with its thread.");
    static final RunError NO_STATE = new RunError("StateUnavailable",
            "The state of the thread could not be read, or the worker did not start; start the run again.");
    static final RunError REJECTED = new RunError("CheckpointsRejected",
            "The storage rejected the last checkpoints of the run; the log of the runtime has the reason.");
    static final RunError RUNTIME_LOST = new RunError("RuntimeLost",
            "The runtime that executed the run ended unexpectedly; start the run again.");

    /** Returns the error of a stream whose client lost its access; the run itself continues. */
    public static RunError accessRefused(String reason) {
        return new RunError("AccessRefused", reason);
    }

    /** Returns the error of a response whose run was deleted, or whose result could not be read. */
    public static RunError unknownResult(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof ProblemException) {
            return new RunError("RunLost", "The result of the run cannot be read: " + cause.getMessage());
        }
        LOG.errorf(cause, "could not read the result of a run");
        return new RunError("RunLost", "The result of the run cannot be read; read the state of the thread.");
    }

    static RunError timeout(Duration limit) {
        return new RunError("Timeout", "The run exceeded the timeout of " + limit.toSeconds() + " seconds.");
    }

    /** Reads a stored error. */
    static @Nullable RunError parse(@Nullable String stored) {
        if (stored == null) {
            return null;
        }
        JsonNode json = Json.parse(stored.getBytes(StandardCharsets.UTF_8));
        return new RunError(json.path(ERROR).asText(), json.path(MESSAGE).asText());
    }

    /** Returns the error as a result, for clients that wait for values. */
    public ObjectNode toResult() {
        return JsonNodeFactory.instance.objectNode().set("__error__", toJson());
    }

    public ObjectNode toJson() {
        return JsonNodeFactory.instance.objectNode().put(ERROR, error).put(MESSAGE, message);
    }
}
