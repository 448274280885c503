package dev.waybill.runtime.jsonstate;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A state of a thread.
 *
 * @param tasks the task that waits for the answer to an interrupt; empty if none waits
 * @param metadata metadata of its checkpoint
 * @param createdAt time of its checkpoint
 * @param id id of its checkpoint; null for a thread without one
 * @param parent the checkpoint before
 * @param newest the newest checkpoint of the thread, if it is another one and known
 */
public record JsonState(ObjectNode values, ArrayNode tasks, ObjectNode metadata, @Nullable String createdAt,
        @Nullable UUID id, @Nullable UUID parent, @Nullable UUID newest) {

    /** Maximum size of a state in bytes. */
    public static final int MAX_BYTES = 20 << 20;

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Returns the state of a thread without checkpoints. */
    public static JsonState empty() {
        return new JsonState(JSON.objectNode(), JSON.arrayNode(), JSON.objectNode(), null, null, null, null);
    }

    JsonState withNewest(UUID checkpoint) {
        return new JsonState(values, tasks, metadata, createdAt, id, parent, checkpoint);
    }

    /** Returns the interrupts that wait for an answer. */
    public ArrayNode interrupts() {
        ArrayNode interrupts = JSON.arrayNode();
        tasks.forEach(task -> task.path("interrupts").forEach(interrupts::add));
        return interrupts;
    }

    /** Returns a copy of the values in which the members of an object replace those of the same name. */
    public ObjectNode merged(ObjectNode changes) {
        ObjectNode merged = JSON.objectNode();
        merged.setAll(values);
        merged.setAll(changes);
        return merged;
    }

    int nextStep() {
        return metadata.path("step").asInt(-1) + 1;
    }

    /** Returns the state as clients know it, in the form in which workers return states of graphs with checkpoints. */
    public JsonNode toResponse(UUID thread) {
        ObjectNode state = JSON.objectNode();
        state.set("values", values);
        ArrayNode next = state.putArray("next");
        tasks.forEach(task -> next.add(task.path("name")));
        state.set("tasks", tasks);
        state.set("metadata", metadata);
        state.put("created_at", createdAt);
        state.set("checkpoint", checkpoint(thread, id));
        state.set("parent_checkpoint", checkpoint(thread, parent));
        state.set("interrupts", interrupts());
        return state;
    }

    private static @Nullable ObjectNode checkpoint(UUID thread, @Nullable UUID id) {
        return id == null ? null
                : JSON.objectNode().put("thread_id", thread.toString()).put("checkpoint_ns", "")
                        .put("checkpoint_id", id.toString()).putNull("checkpoint_map");
    }
}
