package dev.waybill.export.execution;

import java.time.Duration;

/**
 * Exponential backoff with jitter. The delay doubles with each failure up to a maximum; a random value from its upper half is
 * used, so that jobs that failed together do not retry together.
 */
record Backoff(Duration initial, Duration max) {

    private static final int DOUBLINGS = 30;

    /**
     * Returns the delay before the next attempt.
     *
     * @param failures number of failures so far, at least 1
     * @param random number from 0 to 1
     */
    Duration delay(int failures, double random) {
        long doubled = initial.toMillis() << Math.clamp(failures - 1L, 0, DOUBLINGS);
        long capped = Math.min(doubled, max.toMillis());
        return Duration.ofMillis(capped / 2 + Math.round(capped / 2.0 * random));
    }
}
