package dev.waybill.export.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * A scheduled export that is alive.
 *
 * @param nextNumber of the window that comes next
 * @param provenFrom failures of windows before this one do not count any more
 */
record Schedule(UUID tenantId, UUID id, Instant startTime, int intervalHours, long nextNumber, long provenFrom) {

    /** The window that comes next. */
    Window next() {
        return window(nextNumber);
    }

    /** Any window. */
    Window window(long number) {
        return Window.of(startTime, Duration.ofHours(intervalHours), number);
    }
}
