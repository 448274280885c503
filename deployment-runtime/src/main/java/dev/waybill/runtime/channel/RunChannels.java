package dev.waybill.runtime.channel;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.event.Json;
import io.vertx.core.buffer.Buffer;

/** The channels of one run for one connection. Must get all events that the run's log retains, in order. */
public final class RunChannels {

    static final String CHECKPOINTS = "checkpoints";
    private static final String INTERRUPT = "__interrupt__";
    /** Error of a run that a client has cancelled. */
    private static final String CANCELLED = "Cancelled";
    /** Error of a run whose end this replica does not know: another one may tell it. */
    private static final String LOST = "RunLost";

    private final ChannelOutput output;
    private final Lifecycle lifecycle;
    private final MessageEvents messages;
    private final Set<String> interrupts = new HashSet<>();
    private long attempt = -1;

    /** @param graph name of the run's graph; null if this replica does not know it */
    public RunChannels(UUID run, Instant createdAt, @Nullable String graph, ChannelFilter filter) {
        this.output = new ChannelOutput(run, RunSequence.base(run, createdAt), filter);
        this.lifecycle = new Lifecycle(output, graph);
        this.messages = new MessageEvents(output);
        output.begin(-1, createdAt.toEpochMilli());
        lifecycle.begin();
    }

    /** Adds events of the run, in the format of its log, which have this time in milliseconds. */
    public void add(Buffer events, long millis) {
        for (RunEvent event : RunEvent.parse(events)) {
            begin(event.number(), millis);
            add(event);
        }
    }

    private void begin(long number, long millis) {
        if (number < 0) {
            output.beginResult(millis);
            return;
        }
        // The first event of an attempt has the run's id, and is discarded if no client reads a pending run.
        if (number / EventLog.ATTEMPT_NUMBERS != attempt && number % EventLog.ATTEMPT_NUMBERS > 1) {
            messages.missBegin();
        }
        attempt = number / EventLog.ATTEMPT_NUMBERS;
        output.begin(number, millis);
    }

    /** Adds the end of the run, unless its events contained it. */
    public void end(long millis) {
        output.beginResult(millis);
        succeeded();
    }

    /** Returns the events of the selected channels since the last call, as server-sent events. */
    public Buffer take() {
        return output.take();
    }

    private void add(RunEvent event) {
        switch (event.mode()) {
            case "values" -> values(event);
            case "updates" -> updates(event);
            case "messages" -> message(event);
            case "messages/complete" -> completed(event);
            case "custom" -> custom(event);
            case "tasks" -> tasks(event);
            case "tools" -> tools(event);
            case "end" -> succeeded();
            case "error" -> failed(Json.parse(event.data()));
            default -> {
                // Other modes have no channel.
            }
        }
    }

    private void values(RunEvent event) {
        lifecycle.before(event);
        byte[] checkpoint = event.checkpoint();
        if (checkpoint != null) {
            // Clients expect it directly before the values of the checkpoint.
            output.write(CHECKPOINTS, CHECKPOINTS, event.namespace(), null, () -> checkpoint);
        }
        if (mayHaveInterrupts(event.data()) && Json.parse(event.data()) instanceof ObjectNode values) {
            JsonNode requests = values.remove(INTERRUPT);
            request(requests, event.namespace());
            if (!values.isEmpty() || requests == null) {
                output.write("values", event.namespace(), () -> values);
            }
        } else {
            output.write("values", "values", event.namespace(), null, event::data);
        }
    }

    /** Most values are sent without parsing them. */
    private static boolean mayHaveInterrupts(byte[] json) {
        return new String(json, StandardCharsets.ISO_8859_1).contains(INTERRUPT);
    }

    private void request(@Nullable JsonNode requests, List<String> namespace) {
        for (JsonNode request : requests == null ? JsonNodeFactory.instance.arrayNode() : requests) {
            String id = request.path("id").asText("");
            if (!id.isEmpty() && interrupts.add(id)) {
                ObjectNode data = JsonNodeFactory.instance.objectNode().put("interrupt_id", id);
                data.set("payload", request.get("value"));
                output.writeRequest(id, namespace, data);
            }
        }
    }

    private void updates(RunEvent event) {
        lifecycle.before(event);
        JsonNode update = Json.parse(event.data());
        // Nodes of one step have separate events.
        for (Map.Entry<String, JsonNode> node : update.properties()) {
            if (node.getKey().equals(INTERRUPT)) {
                request(node.getValue(), event.namespace());
            } else {
                messages.updated(event.namespace(), node.getKey());
                output.write("updates", "updates", event.namespace(), node.getKey(),
                        () -> Json.bytes(valuesOf(node.getValue())));
                lifecycle.updated(event.namespace(), node.getKey());
            }
        }
    }

    private static JsonNode valuesOf(JsonNode update) {
        return update.isObject() || update.isArray() ? update : JsonNodeFactory.instance.objectNode().set("value", update);
    }

    private void message(RunEvent event) {
        lifecycle.before(event);
        if (output.includes(MessageEvents.CHANNEL)) {
            messages.add(Json.parse(event.data()), event.namespace());
        }
    }

    /** Adds messages of a run that another client started with mode {@code messages}. */
    private void completed(RunEvent event) {
        lifecycle.before(event);
        if (output.includes(MessageEvents.CHANNEL)) {
            Json.parse(event.data())
                    .forEach(message -> messages.add(JsonNodeFactory.instance.arrayNode().add(message), event.namespace()));
        }
    }

    private void custom(RunEvent event) {
        lifecycle.before(event);
        if (!output.includesCustom()) {
            return;
        }
        JsonNode payload = Json.parse(event.data());
        if (payload.path("name").isTextual()) {
            output.write("custom:" + payload.get("name").textValue(), ChannelFilter.CUSTOM, event.namespace(), null,
                    event::data);
        } else {
            output.write(ChannelFilter.CUSTOM, event.namespace(),
                    () -> JsonNodeFactory.instance.objectNode().set("payload", payload));
        }
    }

    private void tasks(RunEvent event) {
        JsonNode task = Json.parse(event.data());
        lifecycle.before(event, task);
        messages.begin(task.path("name").asText());
        output.write("tasks", "tasks", event.namespace(), null, event::data);
    }

    private void tools(RunEvent event) {
        lifecycle.before(event);
        JsonNode call = Json.parse(event.data());
        ObjectNode data = ToolEvents.data(call);
        if (data != null) {
            output.write(ToolEvents.CHANNEL, ToolEvents.namespaceOf(call, event.namespace()), () -> data);
        }
    }

    private void succeeded() {
        output.beginEnd();
        messages.end();
        lifecycle.end(interrupts.isEmpty() ? Lifecycle.COMPLETED : Lifecycle.INTERRUPTED, null);
    }

    private void failed(JsonNode error) {
        String type = error.path("error").asText();
        if (!type.equals(LOST)) {
            output.beginEnd();
        }
        if (type.equals(CANCELLED)) {
            lifecycle.end(Lifecycle.INTERRUPTED, null);
        } else {
            lifecycle.end(Lifecycle.FAILED, error.path("message").asText());
        }
    }
}
