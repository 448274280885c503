package dev.waybill.export.job;

import java.time.Instant;

/** A half-open range of start times. */
public record TimeRange(Instant startTime, Instant endTime) {

    public TimeRange {
        if (!endTime.isAfter(startTime)) {
            throw new IllegalArgumentException("endTime must be after startTime");
        }
    }
}
