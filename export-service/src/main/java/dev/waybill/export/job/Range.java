package dev.waybill.export.job;

import java.time.Instant;

/** The runs of an export: those that started in this time, half open. */
public record Range(Instant startTime, Instant endTime) {

    public Range {
        if (!endTime.isAfter(startTime)) {
            throw new IllegalArgumentException("a range ends after it starts");
        }
    }
}
