package dev.waybill.experiment.upload;

import java.util.ArrayList;
import java.util.List;

import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.body.SpooledBody;

/**
 * Reads the rows of an upload in batches of limited size, so memory use does not depend on the size of the upload. Reading
 * blocks.
 */
final class RowBatches {

    // Statement parameters copy the batch, and the driver copies it a second time while sending.
    private static final long MAX_BATCH_BYTES = 4 << 20;
    private static final int MAX_BATCH_ROWS = 500;
    private static final int MAX_BATCH_SCORES = 10_000;

    private final SpooledBody body;
    private final RowIndex rows;
    private final UploadReader reader;
    private int next;

    RowBatches(SpooledBody body, RowIndex rows, UploadReader reader) {
        this.body = body;
        this.rows = rows;
        this.reader = reader;
    }

    /** Returns the next rows; empty after the last. */
    List<RowFields> next() {
        if (next == rows.rows()) {
            return List.of();
        }
        int end = next + 1;
        long from = rows.start(next);
        while (end < rows.rows() && end - next < MAX_BATCH_ROWS && rows.end(end) - from <= MAX_BATCH_BYTES) {
            end++;
        }
        Bytes bytes = body.slice(from, rows.end(end - 1));
        List<RowFields> batch = new ArrayList<>(end - next);
        for (int scores = 0; next < end && scores < MAX_BATCH_SCORES; next++) {
            RowFields row = reader.row(bytes.slice((int) (rows.start(next) - from), (int) (rows.end(next) - from)));
            batch.add(row);
            scores += row.scores.size();
        }
        return batch;
    }
}
