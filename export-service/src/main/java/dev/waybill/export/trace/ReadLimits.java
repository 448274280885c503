package dev.waybill.export.trace;

import java.time.Duration;

/**
 * Limits of one read.
 *
 * @param timeout maximum duration of the statement in PostgreSQL, including the time it waits for the reader
 * @param maxRows maximum number of rows
 * @param maxRowBytes maximum size of the texts of one row; the driver buffers each row completely, so texts of a larger row are
 *        replaced
 */
public record ReadLimits(Duration timeout, long maxRows, long maxRowBytes) {

    /** Returns limits without a maximum number of rows. */
    public static ReadLimits of(Duration timeout, long maxRowBytes) {
        return new ReadLimits(timeout, Long.MAX_VALUE, maxRowBytes);
    }

    boolean hasRowLimit() {
        return maxRows < Long.MAX_VALUE;
    }
}
