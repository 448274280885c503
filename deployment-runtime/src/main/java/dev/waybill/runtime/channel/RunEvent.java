package dev.waybill.runtime.channel;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.event.EventLog;
import io.vertx.core.buffer.Buffer;

/**
 * An event of a run.
 *
 * @param mode name without the namespace
 * @param number number in the run; -1 without an id
 * @param checkpoint JSON object that names the checkpoint with the event's values; null: none
 */
record RunEvent(String mode, List<String> namespace, byte[] data, long number, byte @Nullable [] checkpoint) {

    private static final byte[] EVENT = "event: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CHECKPOINT = EventLog.CHECKPOINT.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ID = "id: ".getBytes(StandardCharsets.US_ASCII);

    /** Parses events in the format of the run's log, where data has no line breaks. */
    static List<RunEvent> parse(Buffer events) {
        List<RunEvent> parsed = new ArrayList<>();
        byte[] bytes = events.getBytes();
        String name = "";
        byte[] data = {};
        long number = -1;
        byte[] checkpoint = null;
        for (int begin = 0; begin < bytes.length;) {
            int end = lineEnd(bytes, begin);
            if (end == begin) {
                parsed.add(of(name, data, number, checkpoint));
                number = -1;
                checkpoint = null;
            } else if (startsWith(bytes, begin, DATA)) {
                data = Arrays.copyOfRange(bytes, begin + DATA.length, end);
            } else if (startsWith(bytes, begin, EVENT)) {
                name = new String(bytes, begin + EVENT.length, end - begin - EVENT.length, StandardCharsets.UTF_8);
            } else if (startsWith(bytes, begin, CHECKPOINT)) {
                checkpoint = Arrays.copyOfRange(bytes, begin + CHECKPOINT.length, end);
            } else if (startsWith(bytes, begin, ID)) {
                String id = new String(bytes, begin + ID.length, end - begin - ID.length, StandardCharsets.US_ASCII);
                number = Long.parseLong(id.substring(id.lastIndexOf(':') + 1));
            }
            begin = end + 1;
        }
        return parsed;
    }

    private static RunEvent of(String name, byte[] data, long number, byte @Nullable [] checkpoint) {
        List<String> parts = List.of(name.split("\\|"));
        return new RunEvent(parts.getFirst(), parts.subList(1, parts.size()), data, number, checkpoint);
    }

    private static int lineEnd(byte[] bytes, int begin) {
        int end = begin;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        return end;
    }

    private static boolean startsWith(byte[] bytes, int begin, byte[] prefix) {
        return begin + prefix.length <= bytes.length
                && Arrays.equals(bytes, begin, begin + prefix.length, prefix, 0, prefix.length);
    }
}
