package dev.waybill.runtime.state;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/**
 * An update of a thread's state.
 *
 * @param target checkpoint that the update forks; null for the newest one
 * @param supersteps lists of updates ({@code values} or {@code command}, {@code as_node}), one for each new checkpoint
 */
record StateUpdate(@Nullable CheckpointRequest target, ArrayNode supersteps) {

    /** Returns the states of a new thread, as clients send them: objects with {@code updates}. */
    static StateUpdate ofNewThread(JsonNode clients) {
        ArrayNode supersteps = JsonNodeFactory.instance.arrayNode();
        clients.forEach(step -> supersteps.add(step.path("updates")));
        return new StateUpdate(null, supersteps);
    }
}
