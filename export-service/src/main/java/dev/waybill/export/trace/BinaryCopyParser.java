package dev.waybill.export.trace;

import java.io.IOException;
import java.util.Arrays;

/**
 * Parses the messages of one binary COPY. PostgreSQL sends one row per message, the first after the stream's header, and a
 * trailer as the last message; a stream without the trailer is incomplete.
 */
final class BinaryCopyParser {

    private static final byte[] SIGNATURE = { 'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0 };
    // Signature, four bytes of flags, four bytes for the length of an extension, which is always empty.
    private static final int HEADER = SIGNATURE.length + 8;

    private final RunRow row;
    private boolean started;
    private boolean complete;
    private long rows;

    BinaryCopyParser(RunRow row) {
        this.row = row;
    }

    void parse(byte[] message, RowHandler handler) throws IOException {
        int position = started ? 0 : skipHeader(message);
        started = true;
        if (complete) {
            throw new IOException("PostgreSQL sent a message after the end of the COPY");
        }
        if (position == message.length) {
            return;
        }
        if (message.length - position == Short.BYTES && message[position] == -1 && message[position + 1] == -1) {
            complete = true;
            return;
        }
        row.pointTo(message, position);
        handler.row(row);
        // Releases the row before the next one is read: two large rows would take twice the memory.
        row.clear();
        rows++;
    }

    private static int skipHeader(byte[] message) throws IOException {
        if (message.length < HEADER || !Arrays.equals(message, 0, SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
            throw new IOException("PostgreSQL did not send the header of a binary COPY");
        }
        return HEADER;
    }

    /** Returns the number of rows; fails if the stream is incomplete or PostgreSQL counted another number. */
    long requireComplete(long sent) throws IOException {
        if (!complete || sent != rows) {
            throw new IOException("PostgreSQL sent " + sent + " rows, " + rows + " were read");
        }
        return rows;
    }
}
