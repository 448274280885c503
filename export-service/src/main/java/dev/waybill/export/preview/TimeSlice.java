package dev.waybill.export.preview;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.LongStream;

/** A half-open part of a time range. */
record TimeSlice(Instant startTime, Instant endTime) {

    /** Divides the range into at most {@code count} non-empty slices of similar length. */
    static List<TimeSlice> of(Instant startTime, Instant endTime, int count) {
        long micros = ChronoUnit.MICROS.between(startTime, endTime);
        long slices = Math.min(count, micros);
        return LongStream.range(0, slices)
                .mapToObj(n -> new TimeSlice(boundary(startTime, micros, n, slices),
                        boundary(startTime, micros, n + 1, slices)))
                .toList();
    }

    // Quotient and remainder are multiplied separately to avoid an overflow.
    private static Instant boundary(Instant startTime, long micros, long n, long slices) {
        return startTime.plus(micros / slices * n + micros % slices * n / slices, ChronoUnit.MICROS);
    }

    long micros() {
        return ChronoUnit.MICROS.between(startTime, endTime);
    }
}
