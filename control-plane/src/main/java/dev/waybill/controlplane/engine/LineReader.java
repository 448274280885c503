package dev.waybill.controlplane.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads complete lines in bounded memory. */
public final class LineReader {

    /** Maximum number of bytes of a line; the remainder is skipped. */
    static final int MAX_LINE_BYTES = 16 << 10;
    private static final int BUFFER_BYTES = 64 << 10;

    private LineReader() {
    }

    /** Receives lines. */
    @FunctionalInterface
    public interface LineConsumer {

        /**
         * Receives a line without its terminator.
         *
         * @param isCut whether the end of the line is missing because the line is too long
         * @param end number of bytes that were read including the line's terminator
         * @return whether further lines are read
         */
        boolean accept(String line, boolean isCut, long end);
    }

    /** Passes lines to the consumer; returns the number of bytes of the lines that it has received. */
    public static long read(InputStream in, LineConsumer consumer) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        byte[] line = new byte[MAX_LINE_BYTES];
        int length = 0;
        boolean isCut = false;
        long bytes = 0;
        long complete = 0;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            for (int i = 0; i < count; i++) {
                bytes++;
                if (buffer[i] != '\n') {
                    if (length < MAX_LINE_BYTES) {
                        line[length++] = buffer[i];
                    } else {
                        isCut = true;
                    }
                    continue;
                }
                complete = bytes;
                boolean more = consumer.accept(new String(line, 0, length, StandardCharsets.UTF_8), isCut, complete);
                length = 0;
                isCut = false;
                if (!more) {
                    return complete;
                }
            }
        }
        return complete;
    }
}
