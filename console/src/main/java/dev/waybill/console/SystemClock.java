package dev.waybill.console;

import java.time.Clock;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Provides the clock. */
class SystemClock {

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }
}
