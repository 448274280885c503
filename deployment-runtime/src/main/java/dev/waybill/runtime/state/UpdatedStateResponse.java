package dev.waybill.runtime.state;

import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The checkpoint that an update created.
 *
 * @param configurable the same, as clients pass it in the configuration of a run
 */
record UpdatedStateResponse(@Schema(implementation = CheckpointRequest.class) JsonNode checkpoint,
        @Schema(implementation = CheckpointRequest.class) JsonNode configurable) {

    /** Reads the result of a worker. */
    static UpdatedStateResponse from(UUID thread, JsonNode result) {
        JsonNode created = result.path("checkpoint");
        ObjectNode checkpoint = JsonNodeFactory.instance.objectNode()
                .put("thread_id", thread.toString())
                .put("checkpoint_ns", created.path("ns").asText())
                .put("checkpoint_id", created.path("id").asText());
        checkpoint.set("checkpoint_map", created.get("map"));
        return new UpdatedStateResponse(checkpoint, checkpoint);
    }
}
