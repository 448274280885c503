package dev.waybill.runtime.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Final values of a run, as its worker responds with them: it need not repeat members that the state of the run's thread
 * contains, too, which may be large.
 */
final class FinalValues {

    private FinalValues() {
    }

    /** Returns the final values of the result of {@code run/start}; a missing node if it has none. */
    static JsonNode of(JsonNode result) {
        JsonNode values = result.path("values");
        JsonNode names = result.path("value_names");
        if (!values.isObject() || !names.isArray()) {
            return values;
        }
        JsonNode state = result.path("state").path("values");
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        for (JsonNode name : names) {
            JsonNode value = values.has(name.asText()) ? values.get(name.asText()) : state.get(name.asText());
            if (value != null) {
                all.set(name.asText(), value);
            }
        }
        return all;
    }
}
