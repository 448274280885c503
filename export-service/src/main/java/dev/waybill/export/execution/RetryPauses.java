package dev.waybill.export.execution;

import java.time.Duration;

/**
 * How long to wait before trying again: twice as long each time up to a limit, and somewhere in the upper half of that, so
 * that what failed together does not come back together.
 */
record RetryPauses(Duration first, Duration longest) {

    private static final int DOUBLINGS = 30;

    /**
     * @param failures so far, at least 1
     * @param random from 0 to 1
     */
    Duration after(int failures, double random) {
        long doubled = first.toMillis() << Math.clamp(failures - 1L, 0, DOUBLINGS);
        long most = Math.min(doubled, longest.toMillis());
        return Duration.ofMillis(most / 2 + Math.round(most / 2.0 * random));
    }
}
