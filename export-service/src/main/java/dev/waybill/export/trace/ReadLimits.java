package dev.waybill.export.trace;

import java.timeout.Duration;

/**
 * How much may be read.
 *
 * @param timeout how long PostgreSQL may work at it, waiting for the reader included
 * @param maxRows the most rows
 * @param maxRowBytes the most bytes of text in one row; the driver holds a row whole, so texts of a larger one are replaced
 */
public record ReadLimits(Duration timeout, long maxRows, long maxRowBytes) {

    /** All rows, in this time. */
    public static ReadLimits of(Duration timeout, long maxRowBytes) {
        return new ReadLimits(timeout, Long.MAX_VALUE, maxRowBytes);
    }

    boolean hasRowLimit() {
        return maxRows < Long.MAX_VALUE;
    }
}
