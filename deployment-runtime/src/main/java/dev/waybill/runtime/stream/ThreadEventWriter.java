package dev.waybill.runtime.stream;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.runtime.event.Json;
import io.vertx.core.buffer.Buffer;

/** Writes events of a thread's runs as they are. A run ends with {@code metadata} and the status {@code run_done}. */
final class ThreadEventWriter implements ThreadEventSink {

    private static final int BATCH = 16 << 10;

    private static final String START = "event: metadata\n";
    private static final byte[] START_BYTES = START.getBytes(StandardCharsets.US_ASCII);
    private static final String END = "event: end\n";

    private final StreamConnection client;
    private final Runnable drained;
    private final Set<ThreadStreamMode> modes;
    private @Nullable UUID run;

    /** @param drained called when a client that did not read does again */
    ThreadEventWriter(StreamConnection client, Set<ThreadStreamMode> modes, Runnable drained) {
        this.client = client;
        this.drained = drained;
        this.modes = modes;
    }

    @Override
    public boolean isFull() {
        return client.isFull(drained);
    }

    @Override
    public int batchBytes() {
        return BATCH;
    }

    @Override
    public void begin(UUID next, Instant createdAt, @Nullable String graph) {
        run = next;
    }

    @Override
    public void write(Buffer events, long millis) {
        Buffer selected = modes.contains(ThreadStreamMode.RUN_MODES) ? events
                : modes.contains(ThreadStreamMode.LIFECYCLE) ? starts(events) : Buffer.buffer();
        if (selected.length() > 0) {
            client.write(selected);
        }
    }

    @Override
    public void end(Buffer events, long number, long millis) {
        write(withoutEnd(events), millis);
        if (modes.contains(ThreadStreamMode.RUN_MODES) || modes.contains(ThreadStreamMode.LIFECYCLE)) {
            byte[] done = Json
                    .bytes(JsonNodeFactory.instance.objectNode().put("status", "run_done").put("run_id", String.valueOf(run)));
            client.write(
                    Buffer.buffer(START + "data: ").appendBytes(done).appendString("\nid: " + run + ":" + number + "\n\n"));
        }
    }

    @Override
    public void updated(byte[] state) {
        if (modes.contains(ThreadStreamMode.STATE_UPDATE)) {
            client.write(RemoteRunStream.event(ThreadStreamMode.STATE_UPDATE.toString(), state));
        }
    }

    /** Returns those events that are the first one of a run or of its attempt. */
    static Buffer starts(Buffer events) {
        Buffer starts = Buffer.buffer();
        byte[] bytes = events.getBytes();
        for (int begin = 0; begin < bytes.length;) {
            int end = endOfEvent(bytes, begin);
            if (Arrays.equals(bytes, begin, Math.min(begin + START_BYTES.length, end), START_BYTES, 0, START_BYTES.length)) {
                starts.appendBytes(bytes, begin, end - begin);
            }
            begin = end;
        }
        return starts;
    }

    /** Returns the position after the empty line that ends an event; JSON has no line breaks. */
    private static int endOfEvent(byte[] bytes, int begin) {
        for (int at = begin + 1; at < bytes.length; at++) {
            if (bytes[at] == '\n' && bytes[at - 1] == '\n') {
                return at + 1;
            }
        }
        return bytes.length;
    }

    /** Clients would take the last event of a run for that of the stream. */
    private static Buffer withoutEnd(Buffer events) {
        String text = events.toString(StandardCharsets.UTF_8);
        int end = text.lastIndexOf(END);
        boolean starts = end == 0 || (end > 0 && text.startsWith("\n\n", end - 2));
        return starts ? Buffer.buffer(text.substring(0, end)) : Buffer.buffer(text);
    }
}
