package dev.waybill.controlplane.engine.local.gate;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

import org.jspecify.annotations.Nullable;

/**
 * Reads one head within limits: of time from its first byte on, of lines, which cost more than their letters, and of how many
 * may be large at once. Whoever is connected can send one, and all that are being read must find room in the gate's heap.
 */
final class HeadReader {

    /** Of a head; as many bytes as a runtime takes, and more than one. */
    private static final int LONGEST = 64 << 10;
    private static final int MOST_LINES = 200;
    private static final int SMALL = 8 << 10;
    private static final Duration TIME = Duration.ofMinutes(1);
    private static final Semaphore LARGE = new Semaphore(250);

    private final Wire wire;
    private final Semaphore large;
    private final Duration time;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(128);
    private final List<String> lines = new ArrayList<>();

    HeadReader(Wire wire) {
        this(wire, LARGE, TIME);
    }

    /** @param large as many heads may be large as it has permits */
    HeadReader(Wire wire, Semaphore large, Duration time) {
        this.wire = wire;
        this.large = large;
        this.time = time;
    }

    /** @return its lines; null at the end of the connection */
    @Nullable
    List<String> read() throws IOException {
        int length = 0;
        long begin = 0;
        try {
            for (int next = wire.read(); next >= 0; next = wire.read()) {
                length++;
                begin = length == 1 ? System.nanoTime() : begin;
                check(length, begin);
                if (length == SMALL + 1 && !large.tryAcquire()) {
                    length = SMALL;
                    throw RequestException.busy("Too many requests with large headers come at once; try again.");
                }
                if (isLast(next)) {
                    return lines;
                }
            }
            return null;
        } finally {
            if (length > SMALL) {
                large.release();
            }
        }
    }

    private void check(int length, long begin) throws IOException {
        if (length > LONGEST) {
            throw RequestException.headTooLarge("The headers are larger than " + LONGEST + " bytes; send fewer.");
        }
        if (System.nanoTime() - begin > time.toNanos()) {
            throw RequestException.tooSlow("The headers took longer than " + time.toSeconds() + " s.");
        }
    }

    private boolean isLast(int next) throws IOException {
        if (next != '\n') {
            line.write(next);
            return false;
        }
        String ended = line.toString(StandardCharsets.ISO_8859_1);
        if (!ended.endsWith("\r")) {
            throw RequestException.malformed("A line of the head ends without CR LF.");
        }
        String text = ended.substring(0, ended.length() - 1);
        line.reset();
        if (text.isEmpty()) {
            return !lines.isEmpty();
        }
        if (lines.size() == MOST_LINES) {
            throw RequestException.headTooLarge("The request has more than " + MOST_LINES + " headers; send fewer.");
        }
        lines.add(text);
        return false;
    }
}
