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
    private boolean ended;
    private long rows;

    BinaryCopyParser(RunRow row) {
        this.row = row;
    }

    void take(byte[] message, RowHandler handler) throws IOException {
        int at = started ? 0 : skipHeader(message);
        started = true;
        if (ended) {
            throw new IOException("PostgreSQL sent more after the end of the rows");
        }
        if (at == message.length) {
            return;
        }
        if (message.length - at == Short.BYTES && message[at] == -1 && message[at + 1] == -1) {
            ended = true;
            return;
        }
        row.pointTo(message, at);
        handler.row(row);
        // The next row may be as large: two of them at once would be twice the memory.
        row.forget();
        rows++;
    }

    private static int skipHeader(byte[] message) throws IOException {
        if (message.length < HEADER || !Arrays.equals(message, 0, SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
            throw new IOException("PostgreSQL did not begin with the header of a binary COPY");
        }
        return HEADER;
    }

    /** How many rows came, when the stream came whole and PostgreSQL counted {@code sent} as well. */
    long rowsOf(long sent) throws IOException {
        if (!ended || sent != rows) {
            throw new IOException("PostgreSQL sent " + sent + " rows, " + rows + " were read");
        }
        return rows;
    }
}
