package dev.waybill.runtime.state;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.common.time.Timestamps;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;

/** A state of a thread, as its graph returns it. */
record StateResponse(
        @Schema(implementation = Object.class) JsonNode values,
        @Schema(implementation = String[].class, description = "Nodes of the next step; empty at the end of the graph.") JsonNode next,
        @Schema(implementation = Object[].class, description = "Tasks of the next step, with their interrupts and errors.") JsonNode tasks,
        @Schema(implementation = Object.class) JsonNode metadata,
        @Nullable String createdAt,
        @Nullable @Schema(implementation = CheckpointRequest.class) JsonNode checkpoint,
        @Nullable @Schema(implementation = CheckpointRequest.class) JsonNode parentCheckpoint,
        @Schema(implementation = Object[].class) JsonNode interrupts) {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Reads a state of a worker. */
    static StateResponse from(JsonNode state) {
        return new StateResponse(state.path("values"), state.path("next"), state.path("tasks"), state.path("metadata"),
                state.path("created_at").textValue(), state.get("checkpoint"), state.get("parent_checkpoint"),
                state.path("interrupts"));
    }

    /** Returns the stored values of a thread without checkpoints. */
    static StateResponse withoutCheckpoint(StoredThread thread) {
        ArrayNode interrupts = JSON.arrayNode();
        parse(thread.interrupts()).forEach(task -> task.forEach(interrupts::add));
        Instant updatedAt = thread.stateUpdatedAt();
        return new StateResponse(parse(thread.state()), JSON.arrayNode(), JSON.arrayNode(), JSON.objectNode(),
                updatedAt == null ? null : Timestamps.format(updatedAt), null, null, interrupts);
    }

    private static JsonNode parse(String json) {
        return Json.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns whether the thread has the checkpoint that was requested. */
    boolean exists() {
        return checkpoint != null && !checkpoint.isNull();
    }
}
