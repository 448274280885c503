package dev.waybill.runtime.run;

import java.time.Duration;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The errors that the runtime itself ends runs with. */
public final class RunErrors {

    static final RunError CANCELLED = new RunError("Cancelled", "The run was cancelled.");
    static final RunError STOPPED = new RunError("RuntimeStopped",
            "The runtime was stopped before the run had ended; start it again.");

    /** Ends an answer, and not the run: whoever asked for it is not to have it any more. */
    public static RunError refused(String reason) {
        return new RunError("AccessRefused", reason);
    }

    private RunErrors() {
    }

    static RunError timeout(Duration limit) {
        return new RunError("Timeout", "The run took longer than the " + limit.toSeconds() + " seconds that one may take.");
    }

    public static ObjectNode json(RunError error) {
        return JsonNodeFactory.instance.objectNode().put("error", error.error()).put("message", error.message());
    }
}
