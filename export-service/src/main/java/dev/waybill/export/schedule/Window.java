package dev.waybill.export.schedule;

import java.time.Duration;
import java.time.Instant;

import dev.waybill.export.job.Range;

/**
 * A range of a schedule, half open, that becomes one export.
 *
 * @param number counting from 1
 */
record Window(long number, Instant startTime, Instant endTime) {

    /** Window {@code number} of a schedule with this start and interval: instants have no time zone, so neither has this. */
    static Window of(Instant start, Duration interval, long number) {
        if (number < 1) {
            throw new IllegalArgumentException("windows count from 1, not " + number);
        }
        return new Window(number, start.plus(interval.multipliedBy(number - 1)), start.plus(interval.multipliedBy(number)));
    }

    Range range() {
        return new Range(startTime, endTime);
    }

    /** Whether it may be exported: it has ended, and what comes a little late has had time to arrive. */
    boolean isDue(Instant now, Duration delay) {
        return !endTime.plus(delay).isAfter(now);
    }
}
