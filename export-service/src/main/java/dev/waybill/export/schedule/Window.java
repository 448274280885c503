package dev.waybill.export.schedule;

import java.time.Duration;
import java.time.Instant;

import dev.waybill.export.job.TimeRange;

/**
 * A half-open time range of a schedule, exported by one export.
 *
 * @param number counting from 1
 */
record Window(long number, Instant startTime, Instant endTime) {

    /** Returns window {@code number} of a schedule with this start and interval, independent of time zones. */
    static Window of(Instant start, Duration interval, long number) {
        if (number < 1) {
            throw new IllegalArgumentException("the number of a window must be at least 1, not " + number);
        }
        return new Window(number, start.plus(interval.multipliedBy(number - 1)), start.plus(interval.multipliedBy(number)));
    }

    TimeRange range() {
        return new TimeRange(startTime, endTime);
    }

    /** Returns whether the window ended at least {@code delay} ago. */
    boolean isDue(Instant now, Duration delay) {
        return !endTime.plus(delay).isAfter(now);
    }
}
