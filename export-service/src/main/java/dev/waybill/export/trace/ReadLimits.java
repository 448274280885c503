package dev.waybill.export.trace;

import java.time.Duration;

/**
 * How much may be read.
 *
 * @param time how long PostgreSQL may work at it, waiting for the reader included
 * @param rows the most rows
 */
public record ReadLimits(Duration time, long rows) {

    /** All rows, in this time. */
    public static ReadLimits of(Duration time) {
        return new ReadLimits(time, Long.MAX_VALUE);
    }

    boolean limitsRows() {
        return rows < Long.MAX_VALUE;
    }
}
