package dev.waybill.runtime.channel;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.waybill.runtime.event.Json;
import io.vertx.core.buffer.Buffer;

/** Numbers the events of a run's channels, and writes those that the filter selects as server-sent events. */
final class ChannelOutput {

    /** From these ids, the SDK for JavaScript learns to which run an event of its lifecycle belongs. */
    private static final String LIFECYCLE_ID = "synth:";

    private final UUID run;
    private final ChannelFilter filter;
    private final RunSequence sequence;
    private Buffer written = Buffer.buffer();
    private long event;
    private int part;
    private int messagePart;
    private long millis;

    ChannelOutput(UUID run, long base, ChannelFilter filter) {
        this.run = run;
        this.filter = filter;
        this.sequence = new RunSequence(base);
    }

    /** Begins the events that are made of an event of the run, and have its time. */
    void begin(long number, long time) {
        event = number;
        part = 0;
        messagePart = 0;
        millis = time;
    }

    /** Returns whether the channel is subscribed to. */
    boolean includes(String channel) {
        return filter.includes(channel);
    }

    void write(String channel, String method, List<String> namespace, ObjectNode data) {
        write(channel, method, namespace, null, Json.bytes(data));
    }

    /** Writes an event if the filter selects it; others have an id as well, so that ids are the same for all connections. */
    void write(String channel, String method, List<String> namespace, @Nullable String node, byte[] data) {
        long number = sequence.next(event);
        // Connections without messages do not assemble them.
        String id = run + ":" + event + ":" + (channel.equals(MessageEvents.CHANNEL) ? "message:" + messagePart++ : part++);
        if (number > filter.since() && filter.includes(channel) && filter.includes(namespace)) {
            append(method.equals(Lifecycle.CHANNEL) ? LIFECYCLE_ID + id : id, number, method, namespace, node, data);
        }
    }

    private void append(String id, long number, String method, List<String> namespace, @Nullable String node, byte[] data) {
        ArrayNode path = JsonNodeFactory.instance.arrayNode();
        namespace.forEach(path::add);
        String members = "{\"type\":\"event\",\"event_id\":\"" + id + "\",\"seq\":" + number + ",\"method\":\"" + method
                + "\",\"params\":{\"namespace\":" + path + ",\"timestamp\":" + millis
                + (node == null ? "" : ",\"node\":" + TextNode.valueOf(node)) + ",\"data\":";
        written.appendString("event: " + method + "\nid: " + id + "\ndata: ")
                .appendString(members, StandardCharsets.UTF_8.name())
                .appendBytes(data).appendString("}}\n\n");
    }

    /** Returns what was written since the last call. */
    Buffer take() {
        Buffer taken = written;
        written = Buffer.buffer();
        return taken;
    }
}
