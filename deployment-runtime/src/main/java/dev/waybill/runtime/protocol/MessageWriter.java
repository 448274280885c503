package dev.waybill.runtime.protocol;

import java.io.IOException;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Writes lines of the worker protocol, including the line feed. */
public final class MessageWriter {

    public static final int PROTOCOL_VERSION = 1;

    /** Member of {@code run/start} that requests steps, with their maximum total size in bytes. */
    public static final String STEPS = "steps";

    /** Member of {@code run/start} that is false when the run's final values are not needed. */
    public static final String VALUES = "values";

    private static final long NO_CREDIT = -1;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private MessageWriter() {
    }

    /**
     * Limits of requests of a worker.
     *
     * @param partBytes maximum size of a part of a value
     * @param windowBytes size of a run's writes without a response
     * @param stateBytes maximum size of the values of a checkpoint
     */
    public record RequestLimits(int partBytes, int windowBytes, int stateBytes) {
    }

    public static byte[] initialize(long id, String graph, long maxLineSize) {
        ObjectNode params = object().put("protocol_version", PROTOCOL_VERSION);
        params.putArray("graphs").add(graph);
        params.putObject("limits").put("line_bytes", maxLineSize);
        return request(id, "initialize", params);
    }

    /** Offers version 2, too, with the limits of a worker's requests. */
    public static byte[] initialize(long id, String graph, long maxLineSize, RequestLimits limits) {
        ObjectNode params = object().put("protocol_version", PROTOCOL_VERSION);
        params.putArray("versions").add(PROTOCOL_VERSION).add(Capabilities.WITH_REQUESTS);
        params.putArray("graphs").add(graph);
        params.put("storage", true);
        params.put("checkpoint_batch", true);
        params.put("checkpoint_last", true);
        params.put("same_values", true);
        params.putObject("limits").put("line_bytes", maxLineSize).put("part_bytes", limits.partBytes())
                .put("window_bytes", limits.windowBytes()).put("state_bytes", limits.stateBytes());
        return request(id, "initialize", params);
    }

    public static byte[] start(long id, UUID run, String graph, long credit, ObjectNode request) {
        return runRequest(id, "run/start", run, graph, credit, request);
    }

    /** Writes a request for the state of a thread, or the description of a graph. */
    public static byte[] stateRequest(long id, String method, UUID run, String graph, ObjectNode params) {
        return runRequest(id, method, run, graph, NO_CREDIT, params);
    }

    private static byte[] runRequest(long id, String method, UUID run, String graph, long credit, ObjectNode request) {
        try (ByteArrayBuilder line = new ByteArrayBuilder()) {
            // Written by a generator instead of from a tree, which would be slower for every run.
            try (JsonGenerator json = MAPPER.getFactory().createGenerator(line)) {
                json.writeStartObject();
                json.writeStringField("jsonrpc", "2.0");
                json.writeNumberField("id", id);
                json.writeStringField("method", method);
                json.writeObjectFieldStart("params");
                json.writeStringField("run", run.toString());
                json.writeStringField("graph", graph);
                if (credit != NO_CREDIT) {
                    json.writeNumberField("credit", credit);
                }
                for (Map.Entry<String, JsonNode> member : request.properties()) {
                    json.writeFieldName(member.getKey());
                    json.writeTree(member.getValue());
                }
                json.writeEndObject();
                json.writeEndObject();
            }
            line.append('\n');
            return line.toByteArray();
        } catch (IOException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
    }

    public static byte[] credit(UUID run, long bytes) {
        return notification("run/credit", object().put("run", run.toString()).put("bytes", bytes));
    }

    public static byte[] cancel(UUID run) {
        return notification("run/cancel", object().put("run", run.toString()));
    }

    public static byte[] ping(long id) {
        return request(id, "ping", object());
    }

    public static byte[] shutdown() {
        return notification("shutdown", object());
    }

    private static byte[] request(long id, String method, ObjectNode params) {
        ObjectNode message = object().put("jsonrpc", "2.0").put("id", id).put("method", method);
        return line(message.set("params", params));
    }

    private static byte[] notification(String method, ObjectNode params) {
        ObjectNode message = object().put("jsonrpc", "2.0").put("method", method);
        return line(message.set("params", params));
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static byte[] line(ObjectNode message) {
        try {
            byte[] json = MAPPER.writeValueAsBytes(message);
            byte[] line = java.util.Arrays.copyOf(json, json.length + 1);
            line[json.length] = '\n';
            return line;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
    }
}
