package dev.waybill.runtime.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;

/** Ends runs that take longer than one may: one timer for all of them, because there may be very many. */
@Singleton
class RunTimer {

    private static final Duration LONGEST_STEP = Duration.ofSeconds(1);

    private final RunRegistry registry;
    private final RunConfig config;
    private final Clock clock;

    RunTimer(RunRegistry registry, RunConfig config, Clock clock) {
        this.registry = registry;
        this.config = config;
        this.clock = clock;
    }

    void begin(@Observes StartupEvent starting, Vertx vertx) {
        long step = Math.min(LONGEST_STEP.toMillis(), config.timeout().toMillis() / 10);
        vertx.setPeriodic(Math.max(1, step), ignored -> look());
    }

    void look() {
        Instant latest = clock.instant().minus(config.timeout());
        for (Run run : registry.underWay()) {
            if (run.isRunningSince(latest)) {
                run.stop(RunStatus.TIMEOUT, RunErrors.timeout(config.timeout()));
            }
        }
    }
}
