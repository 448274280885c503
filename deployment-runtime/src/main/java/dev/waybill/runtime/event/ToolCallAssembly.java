package dev.waybill.runtime.event;

import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Puts the tool calls of one message together from their pieces; arguments are shown when they are whole. */
final class ToolCallAssembly {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Map<Integer, Call> calls = new TreeMap<>();

    private static final class Call {

        private final StringBuilder arguments = new StringBuilder();
        private String name = "";
        private @Nullable String id;
    }

    /** Adds the pieces and sets the message's tool calls; without any the message stays unchanged. */
    void add(JsonNode pieces, ObjectNode message) {
        for (JsonNode piece : pieces) {
            Call call = calls.computeIfAbsent(piece.path("index").asInt(calls.size()), ignored -> new Call());
            call.name += piece.path("name").asText("");
            call.id = call.id == null ? piece.path("id").textValue() : call.id;
            call.arguments.append(piece.path("args").asText(""));
        }
        if (!calls.isEmpty()) {
            ArrayNode whole = message.putArray("tool_calls");
            calls.values().forEach(call -> whole.addObject().put("name", call.name).<ObjectNode> set("args", arguments(call))
                    .put("id", call.id).put("type", "tool_call"));
            message.putArray("invalid_tool_calls");
        }
    }

    private static JsonNode arguments(Call call) {
        String text = call.arguments.toString().strip();
        try {
            JsonNode whole = text.endsWith("}") ? MAPPER.readTree(text) : null;
            return whole != null && whole.isObject() ? whole : JsonNodeFactory.instance.objectNode();
        } catch (JsonProcessingException e) {
            return JsonNodeFactory.instance.objectNode();
        }
    }
}
