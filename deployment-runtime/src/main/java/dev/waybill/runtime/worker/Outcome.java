package dev.waybill.runtime.worker;

import com.fasterxml.jackson.databind.JsonNode;

/** How a run ended in its worker. */
public sealed interface Outcome {

    /** It went through; these are its last values. */
    record Completed(JsonNode values) implements Outcome {
    }

    /**
     * It failed.
     *
     * @param error the kind of failure
     * @param message what to tell the caller
     */
    record Failed(String error, String message) implements Outcome {
    }

    /** It was cancelled, as asked. */
    record Cancelled() implements Outcome {
    }
}
