package dev.waybill.runtime.worker;

import java.time.Duration;

/** Exponential backoff between restarts of a worker, until one has served a run. */
final class RestartBackoff {

    private final Duration initial;
    private final Duration max;
    private int failures;

    RestartBackoff(Duration initial, Duration max) {
        this.initial = initial;
        this.max = max;
    }

    synchronized Duration next() {
        long millis = initial.toMillis() << Math.min(failures, 20);
        failures++;
        return Duration.ofMillis(Math.min(max.toMillis(), millis));
    }

    synchronized void reset() {
        failures = 0;
    }
}
