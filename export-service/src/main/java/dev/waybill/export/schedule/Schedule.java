package dev.waybill.export.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import dev.waybill.export.job.BulkExportService.TimeRange;

/**
 * A scheduled export that is not cancelled.
 *
 * @param nextWindowNumber number of the next window
 * @param countFailuresFrom number of the first window whose failure counts
 */
record Schedule(UUID tenantId, UUID id, Instant startTime, int intervalHours, long nextWindowNumber, long countFailuresFrom) {

    /** Returns the next window. */
    Window nextWindow() {
        return window(nextWindowNumber);
    }

    /** Returns the window with the given number. */
    Window window(long number) {
        return Window.of(startTime, Duration.ofHours(intervalHours), number);
    }

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
}
