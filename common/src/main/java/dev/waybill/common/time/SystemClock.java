package dev.waybill.common.time;

import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/**
 * Makes the one clock that everything reads, so that tests can put another in its place. It ticks in microseconds, as
 * PostgreSQL and the wire do: what is answered at creation is what is read back later.
 */
final class SystemClock {

    private SystemClock() {
    }

    @Produces
    @Singleton
    static Clock clock() {
        return Clock.tick(Clock.systemUTC(), Duration.of(1, ChronoUnit.MICROS));
    }
}
