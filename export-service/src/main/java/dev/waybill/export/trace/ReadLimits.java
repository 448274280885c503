package dev.waybill.export.trace;

import java.time.Duration;

/**
 * How much may be read.
 *
 * @param time how long PostgreSQL may work at it, waiting for the reader included
 * @param rows the most rows
 * @param rowBytes the most bytes of text in one row; the driver holds a row whole, so texts of a larger one are replaced
 */
public record ReadLimits(Duration time, long rows, long rowBytes) {

    /** All rows, in this time. */
    public static ReadLimits of(Duration time, long rowBytes) {
        return new ReadLimits(time, Long.MAX_VALUE, rowBytes);
    }

    boolean limitsRows() {
        return rows < Long.MAX_VALUE;
    }
}
