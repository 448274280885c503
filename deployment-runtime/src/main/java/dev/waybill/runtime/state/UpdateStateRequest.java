package dev.waybill.runtime.state;

import java.util.UUID;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Body of {@code POST /threads/{thread_id}/state}. */
record UpdateStateRequest(
        @Nullable @Schema(implementation = Object.class, description = "Values that the node returns; null: none.", examples = "{\"messages\": [{\"role\": \"user\", \"content\": \"hello\"}]}") JsonNode values,
        @Nullable @Size(min = 1, max = 255, message = "must have 1 to 255 characters") @Schema(description = "Node that returns the values; default: the last one.") String asNode,
        @Nullable @Valid @Schema(description = "Checkpoint that the update forks; default: the newest one.") CheckpointRequest checkpoint,
        @Nullable @Schema(description = "Id of that checkpoint, if checkpoint is not given.") UUID checkpointId) {

    /** Returns the checkpoint to update; null for the newest one. */
    @Nullable
    CheckpointRequest target() {
        return checkpoint != null ? checkpoint : checkpointId == null ? null : CheckpointRequest.of(checkpointId);
    }

    /** Returns the update: one step with one update. */
    StateUpdate toUpdate() {
        ObjectNode update = JsonNodeFactory.instance.objectNode();
        update.set("values", values);
        update.put("as_node", asNode);
        ArrayNode supersteps = JsonNodeFactory.instance.arrayNode();
        supersteps.addArray().add(update);
        return new StateUpdate(target(), supersteps);
    }
}
