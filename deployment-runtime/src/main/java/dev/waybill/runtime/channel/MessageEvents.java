package dev.waybill.runtime.channel;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.event.Json;

/** Converts the chunks of messages to the events of channel {@code messages}: start, blocks of content, and finish. */
final class MessageEvents {

    static final String CHANNEL = "messages";
    private static final String CHUNK = "MessageChunk";
    private static final String LAST_CHUNK = "last";
    private static final Map<String, String> ROLES = Map.of("ai", "ai", "assistant", "ai", "human", "human", "user", "human",
            "system", "system");

    private final ChannelOutput output;
    private final Map<String, Open> open = new LinkedHashMap<>();
    /** Ids of messages that are finished, or whose first chunks are missing. */
    private final Set<String> finished = new HashSet<>();
    /** Nodes that have begun or ended since the first event, if that is not the first of the run. */
    private @Nullable Set<String> begun;

    /** A message without a known end. */
    private static final class Open {

        private final String id;
        private final List<String> namespace;
        private final @Nullable String node;
        private final ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        private final ObjectNode usage = JsonNodeFactory.instance.objectNode();
        private @Nullable MessageBlock block;
        private int index = -1;

        Open(String id, List<String> namespace, @Nullable String node) {
            this.id = id;
            this.namespace = namespace;
            this.node = node;
        }
    }

    MessageEvents(ChannelOutput output) {
        this.output = output;
    }

    /** Notes that earlier events are missing: messages of nodes that had begun then are incomplete, and are left out. */
    void missBegin() {
        begun = new HashSet<>();
    }

    /** Notes that a node begins or ends, so that its next messages are complete. */
    void begin(String node) {
        Set<String> nodes = begun;
        if (nodes != null) {
            nodes.add(node);
        }
    }

    /** Writes the events of a pair of a message, or a chunk of it, and its metadata. */
    void add(JsonNode pair, List<String> namespace) {
        JsonNode message = pair.path(0);
        String id = message.path("id").asText("");
        String type = message.path("type").asText();
        boolean isChunk = type.endsWith(CHUNK);
        String role = role(isChunk ? type.substring(0, type.length() - CHUNK.length()).toLowerCase(Locale.ROOT) : type);
        if (id.isEmpty() || role == null || finished.contains(id)) {
            return;
        }
        Open current = open.get(id);
        boolean isNew = current == null;
        if (current == null) {
            String node = pair.path(1).path("langgraph_node").textValue();
            if (isChunk && begun != null && !begun.contains(String.valueOf(node))) {
                finished.add(id);
                return;
            }
            current = start(id, namespaceOf(pair.path(1), namespace), node, role);
        }
        if (isNew || isChunk) {
            content(message, current);
        }
        note(message, current);
        if (!isChunk || LAST_CHUNK.equals(message.path("chunk_position").textValue())) {
            finish(current);
        }
    }

    /** Returns the task's namespace: clients hide what a model writes within a tool, which they know by its first segment. */
    private static List<String> namespaceOf(JsonNode metadata, List<String> namespace) {
        String task = metadata.path("langgraph_checkpoint_ns").asText("");
        return task.isEmpty() ? namespace : List.of(task.split("\\|"));
    }

    private static @Nullable String role(String type) {
        return ROLES.get(type);
    }

    private Open start(String id, List<String> namespace, @Nullable String node, String role) {
        Open started = new Open(id, namespace, node);
        open.put(id, started);
        write(started, "message-start", JsonNodeFactory.instance.objectNode().put("id", id).put("role", role));
        return started;
    }

    private void content(JsonNode message, Open current) {
        JsonNode content = message.path("content");
        if (content.isTextual() && !content.textValue().isEmpty()) {
            block(JsonNodeFactory.instance.objectNode().put("type", "text").put("text", content.textValue()), current);
        }
        for (JsonNode part : content.isArray() ? content : JsonNodeFactory.instance.arrayNode()) {
            block(part.isTextual() ? JsonNodeFactory.instance.objectNode().put("text", part.textValue()) : part, current);
        }
        JsonNode chunks = message.path("tool_call_chunks");
        for (JsonNode call : chunks.isEmpty() ? message.path("tool_calls") : chunks) {
            if (call instanceof ObjectNode object) {
                block(object.deepCopy().put("type", "tool_call"), current);
            }
        }
    }

    private void block(JsonNode chunk, Open current) {
        MessageBlock block = current.block;
        if (block == null || !block.isContinuedBy(chunk)) {
            finishBlock(current);
            block = MessageBlock.of(chunk);
            current.block = block;
            current.index++;
            write(current, "content-block-start", indexed(current).set("content", block.start(chunk)));
        }
        ObjectNode delta = block.add(chunk);
        if (!delta.isEmpty()) {
            write(current, "content-block-delta", indexed(current).set("delta", delta));
        }
    }

    private static ObjectNode indexed(Open current) {
        return JsonNodeFactory.instance.objectNode().put("index", current.index);
    }

    /** Notes usage and metadata, which chunks add to. */
    private static void note(JsonNode message, Open current) {
        message.path("usage_metadata").properties().forEach(member -> {
            JsonNode value = member.getValue();
            if (value.isIntegralNumber()) {
                current.usage.put(member.getKey(), current.usage.path(member.getKey()).asLong() + value.longValue());
            } else if (value.isObject()) {
                current.usage.set(member.getKey(), value);
            }
        });
        message.path("response_metadata").properties()
                .forEach(member -> current.metadata.set(member.getKey(), member.getValue()));
    }

    /** Finishes the messages of a node that has ended. */
    void updated(List<String> namespace, String node) {
        begin(node);
        List.copyOf(open.values()).stream()
                .filter(message -> node.equals(message.node) && message.namespace.size() <= namespace.size() + 1
                        && message.namespace.subList(0, Math.min(namespace.size(), message.namespace.size())).equals(namespace))
                .forEach(this::finish);
    }

    /** Finishes all messages at the end of a run. */
    void end() {
        List.copyOf(open.values()).forEach(this::finish);
    }

    private void finish(Open message) {
        open.remove(message.id);
        finished.add(message.id);
        finishBlock(message);
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        if (!message.usage.isEmpty()) {
            data.set("usage", message.usage);
        }
        if (!message.metadata.isEmpty()) {
            data.set("responseMetadata", message.metadata);
        }
        write(message, "message-finish", data);
    }

    private void finishBlock(Open message) {
        MessageBlock block = message.block;
        if (block != null) {
            message.block = null;
            write(message, "content-block-finish", indexed(message).set("content", block.finish()));
        }
    }

    private void write(Open message, String event, ObjectNode data) {
        // Clients assign concurrent messages of one node by this id; the run of the model is not known here.
        ObjectNode all = JsonNodeFactory.instance.objectNode().put("event", event);
        all.setAll(data);
        output.write(CHANNEL, CHANNEL, message.namespace, message.node, () -> Json.bytes(all.put("run_id", message.id)));
    }
}
