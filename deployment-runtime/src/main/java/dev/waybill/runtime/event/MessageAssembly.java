package dev.waybill.runtime.event;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * Puts messages together from their pieces, for stream mode {@code messages}: first {@code messages/metadata}, then with every
 * piece the message so far ({@code messages/partial}), and {@code messages/complete} when it is whole. So workers, in whatever
 * language, send pieces only.
 */
public final class MessageAssembly {

    private static final String PIECE = "Chunk";
    private static final String LAST_PIECE = "last";
    private static final String PIECE_OF_MESSAGE = "MessageChunk";
    /** What only pieces have, and what is made of those. */
    private static final Set<String> OF_PIECES = Set.of("tool_call_chunks", "chunk_position", "type");

    private final Map<String, Growing> growing = new LinkedHashMap<>();
    private int unnamed;

    /** A message of which more may come, and where it comes from. */
    private record Growing(ObjectNode message, String namespace, ToolCallAssembly toolCalls) {
    }

    /**
     * An event to be sent.
     *
     * @param growing the message that it has so far; null when it is no such event
     */
    public record Part(String event, JsonNode data, @Nullable String growing) {

        private Part(String event, JsonNode data) {
            this(event, data, null);
        }
    }

    /** The events that the pair of a piece and its metadata makes. */
    public List<Part> add(JsonNode pair, String namespace) {
        List<Part> parts = new ArrayList<>();
        if (pair.path(0).isObject()) {
            add((ObjectNode) pair.get(0), pair.path(1), namespace, parts);
        }
        return parts;
    }

    /** Returns whether a message was begun whose end is not known. */
    public boolean isGrowing() {
        return !growing.isEmpty();
    }

    /** The events of a node's update: the messages in it are whole. */
    public List<Part> updated(JsonNode update) {
        List<Part> parts = new ArrayList<>();
        for (JsonNode ofNode : update) {
            for (JsonNode member : ofNode) {
                Iterable<JsonNode> messages = member.isArray() ? member : List.of(member);
                messages.forEach(message -> whole(message, parts));
            }
        }
        return parts;
    }

    private void whole(JsonNode message, List<Part> parts) {
        Growing begun = message.path("id").isTextual() ? growing.remove(message.get("id").textValue()) : null;
        if (begun != null && message instanceof ObjectNode object) {
            parts.add(new Part("messages/complete" + begun.namespace(), list(withWholeType(object))));
        }
    }

    /** What is still to be said of messages whose end nobody told. */
    public List<Part> complete() {
        if (growing.isEmpty()) {
            return List.of();
        }
        List<Part> parts = growing.values().stream()
                .map(begun -> new Part("messages/complete" + begun.namespace(), list(begun.message())))
                .toList();
        growing.clear();
        return parts;
    }

    private void add(ObjectNode piece, JsonNode metadata, String namespace, List<Part> parts) {
        String id = piece.path("id").isTextual() ? piece.get("id").textValue() : "message-" + unnamed++;
        Growing begun = growing.get(id);
        ObjectNode message;
        if (begun == null) {
            ObjectNode named = JsonNodeFactory.instance.objectNode();
            named.putObject(id).set("metadata", metadata);
            parts.add(new Part("messages/metadata" + namespace, named));
            message = withWholeType(piece.deepCopy());
            begun = new Growing(message, namespace, new ToolCallAssembly());
            growing.put(id, begun);
        } else {
            message = begun.message();
            merge(message, piece);
        }
        begun.toolCalls().add(piece.path("tool_call_chunks"), message);
        boolean isPiece = piece.path("type").asText().endsWith(PIECE);
        if (isPiece) {
            parts.add(new Part("messages/partial" + namespace, list(message.deepCopy()), id));
        }
        if (!isPiece || LAST_PIECE.equals(piece.path("chunk_position").textValue())) {
            growing.remove(id);
            parts.add(new Part("messages/complete" + namespace, list(message)));
        }
    }

    /** Pieces are called AIMessageChunk, the message that they make is called ai. */
    private static ObjectNode withWholeType(ObjectNode message) {
        String type = message.path("type").asText();
        message.remove("tool_call_chunks");
        message.remove("chunk_position");
        return type.endsWith(PIECE_OF_MESSAGE)
                ? message.put("type", type.substring(0, type.length() - PIECE_OF_MESSAGE.length()).toLowerCase(Locale.ROOT))
                : message;
    }

    /** Text grows, lists of parts are put together by their index, of everything else the latest counts. */
    private static void merge(ObjectNode whole, ObjectNode piece) {
        piece.properties().forEach(member -> {
            String name = member.getKey();
            JsonNode added = member.getValue();
            JsonNode present = whole.path(name);
            if (name.equals("content") && present.isTextual() && added.isTextual()) {
                whole.set(name, TextNode.valueOf(present.textValue() + added.textValue()));
            } else if (name.equals("content") && present.isArray() && added.isArray()) {
                mergeParts((ArrayNode) present, added);
            } else if (!OF_PIECES.contains(name) && !added.isNull() && !(added.isContainerNode() && added.isEmpty())) {
                whole.set(name, added.deepCopy());
            }
        });
    }

    private static void mergeParts(ArrayNode whole, JsonNode pieces) {
        for (JsonNode piece : pieces) {
            ObjectNode same = null;
            for (JsonNode part : whole) {
                if (piece.isObject() && piece.has("index") && part.isObject() && piece.get("index").equals(part.get("index"))) {
                    same = (ObjectNode) part;
                }
            }
            if (same == null) {
                whole.add(piece.deepCopy());
            } else if (same.path("text").isTextual() && piece.path("text").isTextual()) {
                same.put("text", same.get("text").textValue() + piece.get("text").textValue());
            }
        }
    }

    private static ArrayNode list(JsonNode message) {
        return JsonNodeFactory.instance.arrayNode().add(message);
    }
}
