package dev.waybill.common.time;

import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/**
 * Produces the clock of the service, which tests can replace. It ticks in microseconds like PostgreSQL and the wire format, so
 * that a timestamp returned at creation equals the stored one.
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
