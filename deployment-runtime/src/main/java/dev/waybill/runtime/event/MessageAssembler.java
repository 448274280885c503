package dev.waybill.runtime.event;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * Assembles messages from chunks for stream mode {@code messages}: emits {@code messages/metadata} first, then the accumulated
 * message for each chunk ({@code messages/partial}), and {@code messages/complete} at its end. So workers only send chunks.
 */
public final class MessageAssembler {

    private static final String CHUNK = "Chunk";
    private static final String LAST_CHUNK = "last";
    private static final String MESSAGE_CHUNK = "MessageChunk";
    /** Members that only chunks have or that are assembled separately. */
    private static final Set<String> CHUNK_MEMBERS = Set.of("tool_call_chunks", "chunk_position", "type");

    private final Map<String, Incomplete> incomplete = new LinkedHashMap<>();
    private int unnamed;

    /** A message with outstanding chunks, and the namespace of its graph. */
    private record Incomplete(ObjectNode message, String namespace, ToolCallAssembler toolCalls) {
    }

    /**
     * An event for the client.
     *
     * @param messageId id of the message of a {@code messages/partial} event; null for other events
     */
    public record Part(String event, JsonNode data, @Nullable String messageId) {

        private Part(String event, JsonNode data) {
            this(event, data, null);
        }
    }

    /** Returns the events for a pair of a chunk and its metadata. */
    public List<Part> add(JsonNode pair, String namespace) {
        List<Part> parts = new ArrayList<>();
        if (pair.path(0).isObject()) {
            add((ObjectNode) pair.get(0), pair.path(1), namespace, parts);
        }
        return parts;
    }

    /** Returns whether a message has no known end yet. */
    public boolean hasIncomplete() {
        return !incomplete.isEmpty();
    }

    /** Returns the events for a node's update, whose messages are complete. */
    public List<Part> completeFrom(JsonNode update) {
        List<Part> parts = new ArrayList<>();
        for (JsonNode ofNode : update) {
            for (JsonNode member : ofNode) {
                Iterable<JsonNode> messages = member.isArray() ? member : List.of(member);
                messages.forEach(message -> complete(message, parts));
            }
        }
        return parts;
    }

    private void complete(JsonNode message, List<Part> parts) {
        Incomplete current = message.path("id").isTextual() ? incomplete.remove(message.get("id").textValue()) : null;
        if (current != null && message instanceof ObjectNode object) {
            parts.add(new Part("messages/complete" + current.namespace(), list(withMessageType(object))));
        }
    }

    /** Returns the events that complete all messages without a known end. */
    public List<Part> complete() {
        if (incomplete.isEmpty()) {
            return List.of();
        }
        List<Part> parts = incomplete.values().stream()
                .map(current -> new Part("messages/complete" + current.namespace(), list(current.message())))
                .toList();
        incomplete.clear();
        return parts;
    }

    private void add(ObjectNode chunk, JsonNode metadata, String namespace, List<Part> parts) {
        String id = chunk.path("id").isTextual() ? chunk.get("id").textValue() : "message-" + unnamed++;
        Incomplete current = incomplete.get(id);
        ObjectNode message;
        if (current == null) {
            ObjectNode named = JsonNodeFactory.instance.objectNode();
            named.putObject(id).set("metadata", metadata);
            parts.add(new Part("messages/metadata" + namespace, named));
            message = withMessageType(chunk.deepCopy());
            current = new Incomplete(message, namespace, new ToolCallAssembler());
            incomplete.put(id, current);
        } else {
            message = current.message();
            merge(message, chunk);
        }
        current.toolCalls().add(chunk.path("tool_call_chunks"), message);
        boolean isChunk = chunk.path("type").asText().endsWith(CHUNK);
        if (isChunk) {
            parts.add(new Part("messages/partial" + namespace, list(message.deepCopy()), id));
        }
        if (!isChunk || LAST_CHUNK.equals(chunk.path("chunk_position").textValue())) {
            incomplete.remove(id);
            parts.add(new Part("messages/complete" + namespace, list(message)));
        }
    }

    /** Converts the type of a chunk to that of its message, such as {@code AIMessageChunk} to {@code ai}. */
    private static ObjectNode withMessageType(ObjectNode message) {
        String type = message.path("type").asText();
        message.remove("tool_call_chunks");
        message.remove("chunk_position");
        return type.endsWith(MESSAGE_CHUNK)
                ? message.put("type", type.substring(0, type.length() - MESSAGE_CHUNK.length()).toLowerCase(Locale.ROOT))
                : message;
    }

    /** Appends text, merges lists of parts by index, and replaces all other members. */
    private static void merge(ObjectNode accumulated, ObjectNode chunk) {
        chunk.properties().forEach(member -> {
            String name = member.getKey();
            JsonNode added = member.getValue();
            JsonNode present = accumulated.path(name);
            if (name.equals("content") && present.isTextual() && added.isTextual()) {
                accumulated.set(name, TextNode.valueOf(present.textValue() + added.textValue()));
            } else if (name.equals("content") && present.isArray() && added.isArray()) {
                mergeParts((ArrayNode) present, added);
            } else if (!CHUNK_MEMBERS.contains(name) && !added.isNull() && !(added.isContainerNode() && added.isEmpty())) {
                accumulated.set(name, added.deepCopy());
            }
        });
    }

    private static void mergeParts(ArrayNode accumulated, JsonNode chunks) {
        for (JsonNode chunk : chunks) {
            ObjectNode same = null;
            for (JsonNode part : accumulated) {
                if (chunk.isObject() && chunk.has("index") && part.isObject() && chunk.get("index").equals(part.get("index"))) {
                    same = (ObjectNode) part;
                }
            }
            if (same == null) {
                accumulated.add(chunk.deepCopy());
            } else if (same.path("text").isTextual() && chunk.path("text").isTextual()) {
                same.put("text", same.get("text").textValue() + chunk.get("text").textValue());
            }
        }
    }

    private static ArrayNode list(JsonNode message) {
        return JsonNodeFactory.instance.arrayNode().add(message);
    }

    /** Assembles the tool calls of one message from chunks; arguments are set when they are complete. */
    private static final class ToolCallAssembler {

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
}
