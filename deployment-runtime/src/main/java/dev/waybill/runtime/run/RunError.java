package dev.waybill.runtime.run;

import java.time.Duration;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Reason for the failure of a run, as in the final event of its stream.
 *
 * @param error type, such as the name of an exception
 * @param message description
 */
public record RunError(String error, String message) {

    static final RunError CANCELLED = new RunError("Cancelled", "The run was cancelled.");
    static final RunError STOPPED = new RunError("RuntimeStopped",
            "The runtime was shut down before the run ended; start the run again.");

    /** Returns the error of a stream whose client lost its access; the run itself continues. */
    public static RunError accessRefused(String reason) {
        return new RunError("AccessRefused", reason);
    }

    static RunError timeout(Duration limit) {
        return new RunError("Timeout", "The run exceeded the timeout of " + limit.toSeconds() + " seconds.");
    }

    public ObjectNode toJson() {
        return JsonNodeFactory.instance.objectNode().put("error", error).put("message", message);
    }
}
