package dev.waybill.runtime.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts a stream into lines without ever holding more than the longest allowed one: of a longer line the beginning is kept and
 * the rest is thrown away as it comes. The bytes of a line are good until the next is asked for.
 */
public final class LineReader {

    private static final int FIRST_SIZE = 16 << 10;
    /** What is kept of a line that is too long: enough to find out whose it is. */
    private static final int KEPT_OF_TOO_LONG = 1024;

    private final InputStream in;
    private final int longest;
    private final Runnable caughtUp;
    private byte[] buffer;
    private int position;
    private int limit;
    private int start;
    private int length;
    private boolean tooLong;

    public LineReader(InputStream in, int longest) {
        this(in, longest, () -> {
        });
    }

    /** @param caughtUp called when all lines that were there have been gone to, before more are waited for */
    public LineReader(InputStream in, int longest, Runnable caughtUp) {
        this.in = in;
        this.longest = longest;
        this.caughtUp = caughtUp;
        this.buffer = new byte[Math.min(FIRST_SIZE, longest + 1)];
    }

    /** Goes to the next line, without its end; false when there is none. */
    public boolean next() throws IOException {
        start = position;
        tooLong = false;
        int searched = position;
        while (true) {
            for (; searched < limit; searched++) {
                if (buffer[searched] == '\n') {
                    tooLong = searched - start > longest;
                    length = tooLong ? keptOfTooLong() : searched - start;
                    position = searched + 1;
                    return true;
                }
            }
            if (limit - start > longest) {
                return skipRest();
            }
            searched -= start;
            if (!fill()) {
                length = limit - start;
                position = limit;
                return length > 0;
            }
            searched += start;
        }
    }

    private boolean skipRest() throws IOException {
        tooLong = true;
        length = keptOfTooLong();
        System.arraycopy(buffer, start, buffer, 0, length);
        start = 0;
        byte[] rest = new byte[FIRST_SIZE];
        caughtUp.run();
        while (true) {
            int read = in.read(rest);
            if (read < 0) {
                position = 0;
                limit = 0;
                return true;
            }
            for (int i = 0; i < read; i++) {
                if (rest[i] == '\n') {
                    keep(rest, i + 1, read);
                    return true;
                }
            }
        }
    }

    private int keptOfTooLong() {
        return Math.min(KEPT_OF_TOO_LONG, longest);
    }

    // Behind what was kept of the long line, which is still to be looked at.
    private void keep(byte[] bytes, int from, int to) {
        if (length + to - from > buffer.length) {
            buffer = Arrays.copyOf(buffer, length + to - from);
        }
        System.arraycopy(bytes, from, buffer, length, to - from);
        position = length;
        limit = length + to - from;
    }

    private boolean fill() throws IOException {
        if (start > 0) {
            System.arraycopy(buffer, start, buffer, 0, limit - start);
            limit -= start;
            start = 0;
        }
        if (limit == buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.min(longest + 1, buffer.length * 2));
        }
        caughtUp.run();
        int read = in.read(buffer, limit, buffer.length - limit);
        limit += Math.max(0, read);
        return read >= 0;
    }

    public byte[] bytes() {
        return buffer;
    }

    public int start() {
        return start;
    }

    public int length() {
        return length;
    }

    /** Whether the line was longer than allowed, so that only its beginning is here. */
    public boolean tooLong() {
        return tooLong;
    }
}
