package dev.waybill.runtime.channel;

import java.util.List;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Converts events of calls of tools, whose names and members differ between LangGraph.js and LangGraph for Python. */
final class ToolEvents {

    static final String CHANNEL = "tools";
    private static final String EVENT = "event";
    private static final String CALL = "tool_call_id";
    private static final String MESSAGE = "message";
    private static final String TASK = "langgraph_checkpoint_ns";

    private ToolEvents() {
    }

    /** Returns the data of the channel's event; null for an event that the protocol does not have. */
    static @Nullable ObjectNode data(JsonNode event) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        return switch (event.path(EVENT).asText()) {
            case "on_tool_start" -> started(data, event, event.path("name"));
            case "tool-started" -> started(data, event, event.path("tool_name"));
            case "on_tool_event" -> delta(data, event, event.path("data"));
            case "tool-output-delta" -> delta(data, event, event.path("delta"));
            case "on_tool_end", "tool-finished" -> put(data, "tool-finished", event, "output", event.path("output"));
            case "on_tool_error" -> failed(data, event, event.at("/error/message").asText(event.path("error").asText()));
            case "tool-error" -> failed(data, event, event.path(MESSAGE).asText());
            default -> null;
        };
    }

    /** Returns the namespace of the task that calls the tool, by which clients find what the tool streams. */
    static List<String> namespaceOf(JsonNode event, List<String> namespace) {
        String task = event.path(TASK).asText("");
        return task.isEmpty() ? namespace : List.of(task.split("\\|"));
    }

    private static ObjectNode started(ObjectNode data, JsonNode event, JsonNode name) {
        put(data, "tool-started", event, "tool_name", name.isTextual() ? name : JsonNodeFactory.instance.textNode("unknown"));
        return event.has("input") ? data.set("input", event.get("input")) : data;
    }

    private static ObjectNode delta(ObjectNode data, JsonNode event, JsonNode delta) {
        return put(data, "tool-output-delta", event, "delta",
                delta.isTextual() ? delta : JsonNodeFactory.instance.textNode(delta.isMissingNode() ? "" : delta.toString()));
    }

    private static ObjectNode failed(ObjectNode data, JsonNode event, String message) {
        return put(data, "tool-error", event, MESSAGE, JsonNodeFactory.instance.textNode(message));
    }

    private static ObjectNode put(ObjectNode data, String type, JsonNode event, String member, JsonNode value) {
        data.put(EVENT, type).put(CALL, event.path("toolCallId").asText(event.path(CALL).asText()));
        return data.set(member, value.isMissingNode() ? JsonNodeFactory.instance.nullNode() : value);
    }
}
