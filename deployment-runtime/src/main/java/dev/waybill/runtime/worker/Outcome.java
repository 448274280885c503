package dev.waybill.runtime.worker;

import com.fasterxml.jackson.databind.JsonNode;

/** Result of a run in its worker. */
public sealed interface Outcome {

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
