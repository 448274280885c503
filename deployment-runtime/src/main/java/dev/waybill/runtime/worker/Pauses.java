package dev.waybill.runtime.worker;

import java.time.Duration;

/** How long to wait before a worker is started again: twice as long each time, until one has served. */
final class Pauses {

    private final Duration first;
    private final Duration longest;
    private int failures;

    Pauses(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
    }

    synchronized Duration next() {
        long millis = first.toMillis() << Math.min(failures, 20);
        failures++;
        return Duration.ofMillis(Math.min(longest.toMillis(), millis));
    }

    synchronized void served() {
        failures = 0;
    }
}
