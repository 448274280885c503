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

/** Assembles the tool calls of one message from chunks; arguments are set when they are complete. */
final class ToolCallAssembler {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Map<Integer, Call> calls = new TreeMap<>();

    private static final class Call {

        private final StringBuilder arguments = new StringBuilder();
        private String name = "";
        private @Nullable String id;
    }

    /** Adds the chunks and sets the message's tool calls; a message without tool calls stays unchanged. */
    void add(JsonNode chunks, ObjectNode message) {
        for (JsonNode chunk : chunks) {
            Call call = calls.computeIfAbsent(chunk.path("index").asInt(calls.size()), ignored -> new Call());
            call.name += chunk.path("name").asText("");
            call.id = call.id == null ? chunk.path("id").textValue() : call.id;
            call.arguments.append(chunk.path("args").asText(""));
        }
        if (!calls.isEmpty()) {
            ArrayNode toolCalls = message.putArray("tool_calls");
            calls.values()
                    .forEach(call -> toolCalls.addObject().put("name", call.name).<ObjectNode> set("args", arguments(call))
                            .put("id", call.id).put("type", "tool_call"));
            message.putArray("invalid_tool_calls");
        }
    }

    private static JsonNode arguments(Call call) {
        String text = call.arguments.toString().strip();
        try {
            JsonNode json = text.endsWith("}") ? MAPPER.readTree(text) : null;
            return json != null && json.isObject() ? json : JsonNodeFactory.instance.objectNode();
        } catch (JsonProcessingException e) {
            return JsonNodeFactory.instance.objectNode();
        }
    }
}
