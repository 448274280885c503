package dev.waybill.runtime.state;

import java.util.UUID;

import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A checkpoint of a thread, as states contain it. */
record CheckpointRequest(
        @Nullable @Schema(description = "Must be the thread of the address if it is set.") UUID threadId,
        @Nullable @Size(max = 1024, message = "must have at most 1024 characters") @Schema(description = "Empty for the graph itself; otherwise the namespace of a subgraph.") String checkpointNs,
        @Nullable @Schema(description = "Default: the newest checkpoint.") UUID checkpointId,
        @Nullable @Schema(implementation = Object.class, description = "Checkpoints of the enclosing graphs by namespace.") ObjectNode checkpointMap) {

    static CheckpointRequest of(@Nullable UUID checkpointId) {
        return new CheckpointRequest(null, null, checkpointId, null);
    }

    /** Returns the namespace; empty for the graph itself. */
    String namespace() {
        return checkpointNs == null ? "" : checkpointNs;
    }

    /** Returns the member of a request to the worker. */
    ObjectNode toWorker() {
        ObjectNode checkpoint = JsonNodeFactory.instance.objectNode().put("ns", namespace());
        checkpoint.put("id", checkpointId == null ? null : checkpointId.toString());
        checkpoint.set("map", checkpointMap);
        return checkpoint;
    }
}
