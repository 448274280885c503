package dev.waybill.common.limit;

import java.time.Duration;

/** Exponential backoff: the delay doubles with each consecutive failure, up to a maximum. */
public record Backoff(Duration initial, Duration max) {

    private static final int MAX_DOUBLINGS = 30;

    /**
     * Returns the delay before the next attempt.
     *
     * @param failures number of failures so far, at least 1
     */
    public Duration delay(int failures) {
        long doubled = initial.toMillis() << Math.clamp(failures - 1L, 0, MAX_DOUBLINGS);
        return Duration.ofMillis(Math.min(doubled, max.toMillis()));
    }

    /**
     * Returns a random delay from the upper half of {@link #delay(int)}, so that callers that failed together do not retry
     * together.
     *
     * @param failures number of failures so far, at least 1
     * @param random number from 0 to 1
     */
    public Duration delay(int failures, double random) {
        long capped = delay(failures).toMillis();
        return Duration.ofMillis(capped / 2 + Math.round(capped / 2.0 * random));
    }
}
