package dev.waybill.runtime.run;

import java.time.Duration;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Errors of runs that the runtime itself reports. */
public final class RunErrors {

    static final RunError CANCELLED = new RunError("Cancelled", "The run was cancelled.");
    static final RunError STOPPED = new RunError("RuntimeStopped",
            "The runtime was shut down before the run ended; start the run again.");

    /** Returns the error of a stream whose client lost its access; the run itself continues. */
    public static RunError accessRefused(String reason) {
        return new RunError("AccessRefused", reason);
    }

    private RunErrors() {
    }

    static RunError timeout(Duration limit) {
        return new RunError("Timeout", "The run exceeded the timeout of " + limit.toSeconds() + " seconds.");
    }

    public static ObjectNode json(RunError error) {
        return JsonNodeFactory.instance.objectNode().put("error", error.error()).put("message", error.message());
    }
}
