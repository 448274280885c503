package dev.waybill.runtime.channel;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A block of a message's content, assembled from chunks. */
final class MessageBlock {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String TEXT = "text";
    private static final String REASONING = "reasoning";
    private static final String CALL_CHUNK = "tool_call_chunk";
    private static final String ARGS = "args";

    private final String key;
    private final String type;
    private final ObjectNode fields = JsonNodeFactory.instance.objectNode();
    private final StringBuilder text = new StringBuilder();

    private MessageBlock(String key, String type) {
        this.key = key;
        this.type = type;
    }

    /** Returns the first chunk's block, still empty. */
    static MessageBlock of(JsonNode chunk) {
        return new MessageBlock(keyOf(chunk), typeOf(chunk));
    }

    private static String typeOf(JsonNode chunk) {
        String type = chunk.path("type").asText(TEXT);
        return type.equals("tool_call") ? CALL_CHUNK : type;
    }

    private static String keyOf(JsonNode chunk) {
        return typeOf(chunk) + ":" + chunk.path("index").asText("");
    }

    /** Returns whether the chunk continues this block. */
    boolean isContinuedBy(JsonNode chunk) {
        boolean otherCall = chunk.path("id").isTextual() && fields.has("id") && !chunk.get("id").equals(fields.get("id"));
        return keyOf(chunk).equals(key) && !otherCall;
    }

    /** Returns the content with which the block starts. */
    ObjectNode start(JsonNode chunk) {
        ObjectNode start = JsonNodeFactory.instance.objectNode().put("type", type);
        return switch (type) {
            case TEXT -> start.put(TEXT, "");
            case REASONING -> start.put(REASONING, "");
            case CALL_CHUNK -> start.put("id", chunk.path("id").textValue()).put("name", chunk.path("name").textValue())
                    .put(ARGS, "");
            default -> start;
        };
    }

    /** Adds a chunk and returns its delta; empty if the chunk adds nothing. */
    ObjectNode add(JsonNode chunk) {
        ObjectNode delta = JsonNodeFactory.instance.objectNode();
        switch (type) {
            case TEXT, REASONING -> {
                String added = chunk.path(type).asText("");
                text.append(added);
                return added.isEmpty() ? delta : delta.put("type", type + "-delta").put(type, added);
            }
            case CALL_CHUNK -> {
                JsonNode args = chunk.path(ARGS);
                String added = args.isContainerNode() ? args.toString() : args.asText("");
                text.append(added);
                set("id", chunk.path("id"));
                set("name", chunk.path("name"));
                return added.isEmpty() ? delta : delta.put("type", "tool-call-delta").put(ARGS, added);
            }
            default -> {
                chunk.properties().forEach(member -> fields.set(member.getKey(), member.getValue()));
                return delta.put("type", "block-delta").set("fields", chunk.deepCopy());
            }
        }
    }

    private void set(String name, JsonNode value) {
        if (value.isTextual() && !value.textValue().isEmpty()) {
            fields.set(name, value);
        }
    }

    /** Returns the complete content. */
    ObjectNode finish() {
        ObjectNode content = JsonNodeFactory.instance.objectNode().put("type", type);
        return switch (type) {
            case TEXT, REASONING -> content.put(type, text.toString());
            case CALL_CHUNK -> call();
            default -> content.setAll(fields);
        };
    }

    private ObjectNode call() {
        ObjectNode call = JsonNodeFactory.instance.objectNode();
        call.set("id", fields.get("id"));
        call.set("name", fields.get("name"));
        try {
            JsonNode args = text.isEmpty() ? JsonNodeFactory.instance.objectNode() : MAPPER.readTree(text.toString());
            if (args.isObject() && call.path("name").isTextual()) {
                return call.put("type", "tool_call").set(ARGS, args);
            }
        } catch (JsonProcessingException ignored) {
            // Reported to the client as an invalid call.
        }
        return call.put("type", "invalid_tool_call").put(ARGS, text.toString()).put("error",
                "The arguments are not a JSON object.");
    }
}
