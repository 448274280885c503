package dev.waybill.controlplane.engine.local.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

import org.jspecify.annotations.Nullable;

/**
 * Reads one head within limits of time, size and lines. The number of large heads that are read concurrently is limited, so
 * that unauthenticated clients cannot exhaust the heap.
 */
final class HttpHeadReader {

    /** Maximum size of a head, equal to that of the runtime. */
    private static final int MAX_BYTES = 64 << 10;
    private static final int MAX_LINES = 200;
    private static final int SMALL_HEAD_BYTES = 8 << 10;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Semaphore LARGE = new Semaphore(250);

    private final BufferedInput input;
    private final Semaphore large;
    private final Duration timeout;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(128);
    private final List<String> lines = new ArrayList<>();

    HttpHeadReader(BufferedInput input) {
        this(input, LARGE, TIMEOUT);
    }

    /** @param large permits for heads above {@link #SMALL_HEAD_BYTES} */
    HttpHeadReader(BufferedInput input, Semaphore large, Duration timeout) {
        this.input = input;
        this.large = large;
        this.timeout = timeout;
    }

    /** @return the lines of the head; null at the end of the connection */
    @Nullable
    List<String> read() throws IOException {
        int length = 0;
        long begin = 0;
        try {
            for (int next = input.read(); next >= 0; next = input.read()) {
                length++;
                begin = length == 1 ? System.nanoTime() : begin;
                check(length, begin);
                if (length == SMALL_HEAD_BYTES + 1 && !large.tryAcquire()) {
                    length = SMALL_HEAD_BYTES;
                    throw RequestException.busy("Too many concurrent requests have large headers; retry later.");
                }
                if (isLast(next)) {
                    return lines;
                }
            }
            return null;
        } finally {
            if (length > SMALL_HEAD_BYTES) {
                large.release();
            }
        }
    }

    private void check(int length, long begin) throws IOException {
        if (length > MAX_BYTES) {
            throw RequestException.headTooLarge("The headers are larger than " + MAX_BYTES + " bytes; send fewer.");
        }
        if (System.nanoTime() - begin > timeout.toNanos()) {
            throw RequestException.tooSlow("The headers took longer than " + timeout.toSeconds() + " s.");
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
        if (lines.size() == MAX_LINES) {
            throw RequestException.headTooLarge("The request has more than " + MAX_LINES + " headers; send fewer.");
        }
        lines.add(text);
        return false;
    }
}
