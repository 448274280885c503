package dev.waybill.export.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

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
}
