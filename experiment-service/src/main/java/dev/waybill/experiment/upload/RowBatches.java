package dev.waybill.experiment.upload;

import java.util.ArrayList;
import java.util.List;

import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.body.SpooledBody;

/** The rows of an upload, piece by piece: what is in memory at once does not depend on the upload. Reading blocks. */
final class RowBatches {

    // A piece becomes parameters of statements, and those are held once more while they are sent.
    private static final long BYTES_IN_A_PIECE = 4 << 20;
    private static final int ROWS_IN_A_PIECE = 500;
    private static final int SCORES_IN_A_PIECE = 10_000;

    private final SpooledBody body;
    private final RowIndex rows;
    private final UploadReader reader;
    private int next;

    RowBatches(SpooledBody body, RowIndex rows, UploadReader reader) {
        this.body = body;
        this.rows = rows;
        this.reader = reader;
    }

    /** The next rows; empty after the last. */
    List<RowFields> next() {
        if (next == rows.rows()) {
            return List.of();
        }
        int end = next + 1;
        long from = rows.start(next);
        while (end < rows.rows() && end - next < ROWS_IN_A_PIECE && rows.end(end) - from <= BYTES_IN_A_PIECE) {
            end++;
        }
        Bytes bytes = body.slice(from, rows.end(end - 1));
        List<RowFields> piece = new ArrayList<>(end - next);
        for (int scores = 0; next < end && scores < SCORES_IN_A_PIECE; next++) {
            RowFields row = reader.row(bytes.slice((int) (rows.start(next) - from), (int) (rows.end(next) - from)));
            piece.add(row);
            scores += row.scores.size();
        }
        return piece;
    }
}
