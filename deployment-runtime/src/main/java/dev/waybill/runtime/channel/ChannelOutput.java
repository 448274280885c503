package dev.waybill.runtime.channel;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;

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
    private static final String RESULT = "result";
    private static final String END = "end";
    private static final Pattern SAFE_ID = Pattern.compile("[0-9A-Za-z_-]{1,128}");

    private final UUID run;
    private final ChannelFilter filter;
    private final RunSequence sequence;
    private Buffer written = Buffer.buffer();
    /** Number of the run's event; null for events that only the storage has, which have none. */
    private @Nullable Long event;
    private String origin = "";
    private int part;
    private int messagePart;
    private int lifecyclePart;
    private long millis;

    ChannelOutput(UUID run, long base, ChannelFilter filter) {
        this.run = run;
        this.filter = filter;
        this.sequence = new RunSequence(base);
    }

    /** Begins the events that are made of an event of the run, and have its time. */
    void begin(long number, long time) {
        begin(number, Long.toString(number), time);
    }

    /** Begins the events that are made of the stored result of a run: all of them are new for clients. */
    void beginResult(long time) {
        begin(null, RESULT, time);
    }

    /** Begins the events of a run's end, which have the same ids for a run of this replica and for a stored one. */
    void beginEnd() {
        begin(event, END, millis);
    }

    private void begin(@Nullable Long number, String name, long time) {
        event = number;
        origin = name;
        part = 0;
        messagePart = 0;
        lifecyclePart = 0;
        millis = time;
    }

    /** Returns whether the channel is subscribed to. */
    boolean includes(String channel) {
        return filter.includes(channel);
    }

    /** Returns whether any channel of custom events is subscribed to. */
    boolean includesCustom() {
        return filter.includesCustom();
    }

    /** Writes an event if the filter selects it; others have an id as well, so that ids are the same for all connections. */
    void write(String channel, List<String> namespace, Supplier<ObjectNode> data) {
        write(channel, channel, namespace, null, () -> Json.bytes(data.get()));
    }

    void write(String channel, String method, List<String> namespace, @Nullable String node, Supplier<byte[]> data) {
        write(origin + ":" + partOf(channel), channel, method, namespace, node, data);
    }

    /**
     * Returns the part of the event, of separate parts for messages, which not all connections assemble, and for the lifecycle:
     * if the events that started a namespace are not retained any more, a later one starts it. An event has one checkpoint.
     */
    private String partOf(String channel) {
        return switch (channel) {
            case MessageEvents.CHANNEL -> "message:" + messagePart++;
            case Lifecycle.CHANNEL -> String.valueOf(lifecyclePart++);
            case RunChannels.CHECKPOINTS -> "checkpoint";
            default -> String.valueOf(part++);
        };
    }

    /** Writes the request for an answer, which the run's events and its stored result contain. */
    void writeRequest(String interrupt, List<String> namespace, ObjectNode data) {
        String id = SAFE_ID.matcher(interrupt).matches() ? "input:" + interrupt : origin + ":" + part++;
        write(id, "input", "input.requested", namespace, null, () -> Json.bytes(data));
    }

    /** Writes the end of the run, which has one id whether its events or the storage tell it. */
    void writeEnd(ObjectNode data) {
        write(origin.equals(END) ? END : origin + ":" + partOf(Lifecycle.CHANNEL), Lifecycle.CHANNEL, Lifecycle.CHANNEL,
                List.of(), null,
                () -> Json.bytes(data));
    }

    private void write(String id, String channel, String method, List<String> namespace, @Nullable String node,
            Supplier<byte[]> data) {
        Long number = event;
        long next = number == null ? sequence.nextStored(millis) : sequence.next(number);
        boolean isNew = number == null || next > filter.since();
        if (isNew && filter.includes(channel) && filter.includes(namespace)) {
            append((method.equals(Lifecycle.CHANNEL) ? LIFECYCLE_ID : "") + run + ":" + id, next, method, namespace, node,
                    data.get());
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

    /** Returns the buffered events and empties the buffer. */
    Buffer take() {
        Buffer taken = written;
        written = Buffer.buffer();
        return taken;
    }
}
