package dev.waybill.runtime.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Splits a stream into lines with bounded memory: of a line that exceeds the maximum length, only a prefix is retained. The
 * bytes
 * of a line are valid until the next call of {@link #next}.
 */
public final class LineReader {

    private static final int INITIAL_SIZE = 16 << 10;
    /** Length of the retained prefix of a line that is too long: enough to identify its run and the kind of its event. */
    private static final int MAX_PREFIX_LENGTH = 8 << 10;

    private final InputStream in;
    private final int maxLength;
    private final Runnable onDrained;
    private byte[] buffer;
    private int position;
    private int limit;
    private int start;
    private int length;
    private boolean tooLong;
    private long skipped;

    public LineReader(InputStream in, int maxLength) {
        this(in, maxLength, () -> {
        });
    }

    /** @param onDrained called when all received lines were returned, before the next blocking read */
    public LineReader(InputStream in, int maxLength, Runnable onDrained) {
        this.in = in;
        this.maxLength = maxLength;
        this.onDrained = onDrained;
        this.buffer = new byte[Math.min(INITIAL_SIZE, maxLength + 1)];
    }

    /** Moves to the next line, without its line feed; returns false at the end of the stream. */
    public boolean next() throws IOException {
        start = position;
        tooLong = false;
        skipped = 0;
        int searched = position;
        while (true) {
            for (; searched < limit; searched++) {
                if (buffer[searched] == '\n') {
                    tooLong = searched - start > maxLength;
                    length = tooLong ? prefixLength() : searched - start;
                    skipped = searched - start - length;
                    position = searched + 1;
                    return true;
                }
            }
            if (limit - start > maxLength) {
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
        length = prefixLength();
        skipped = limit - start - length;
        System.arraycopy(buffer, start, buffer, 0, length);
        start = 0;
        byte[] rest = new byte[INITIAL_SIZE];
        onDrained.run();
        while (true) {
            int read = in.read(rest);
            if (read < 0) {
                position = 0;
                limit = 0;
                return true;
            }
            for (int i = 0; i < read; i++) {
                if (rest[i] == '\n') {
                    skipped += i;
                    retain(rest, i + 1, read);
                    return true;
                }
            }
            skipped += read;
        }
    }

    private int prefixLength() {
        return Math.min(MAX_PREFIX_LENGTH, maxLength);
    }

    // Stores the bytes after the prefix of the long line, which the caller has not read yet.
    private void retain(byte[] bytes, int from, int to) {
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
            buffer = Arrays.copyOf(buffer, Math.min(maxLength + 1, buffer.length * 2));
        }
        onDrained.run();
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

    /** Returns the length of the whole line, also if only its prefix is available. */
    public long lineLength() {
        return length + skipped;
    }

    /** Returns whether the line exceeded the maximum length, so that only its prefix is available. */
    public boolean tooLong() {
        return tooLong;
    }
}
