package dev.waybill.export.trace;

import java.io.IOException;
import java.util.Arrays;

/**
 * Takes the messages of one binary COPY. PostgreSQL sends one row a message, the first behind the stream's header, and a
 * last message that only says that the stream ends here: without it the stream was cut.
 */
final class BinaryCopyParser {

    private static final byte[] SIGNATURE = { 'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0 };
    // signature, four bytes of flags, four bytes with the length of an extension that is never there
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
            throw new IOException("PostgreSQL sent more after the end of the rows");
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
        // The next row may be as large: two of them at once would be twice the memory.
        row.clear();
        rows++;
    }

    private static int skipHeader(byte[] message) throws IOException {
        if (message.length < HEADER || !Arrays.equals(message, 0, SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
            throw new IOException("PostgreSQL did not begin with the header of a binary COPY");
        }
        return HEADER;
    }

    /** How many rows came, when the stream came whole and PostgreSQL counted {@code sent} as well. */
    long requireComplete(long sent) throws IOException {
        if (!complete || sent != rows) {
            throw new IOException("PostgreSQL sent " + sent + " rows, " + rows + " were read");
        }
        return rows;
    }
}
