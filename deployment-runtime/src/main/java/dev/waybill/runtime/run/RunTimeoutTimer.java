package dev.waybill.runtime.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;

/** Ends runs that exceed the timeout. One timer serves all runs, of which there can be many. */
@Singleton
class RunTimeoutTimer {

    private static final Duration MAX_INTERVAL = Duration.ofSeconds(1);

    private final RunRegistry registry;
    private final RunConfig config;
    private final Clock clock;

    RunTimeoutTimer(RunRegistry registry, RunConfig config, Clock clock) {
        this.registry = registry;
        this.config = config;
        this.clock = clock;
    }

    void begin(@Observes StartupEvent starting, Vertx vertx) {
        long interval = Math.min(MAX_INTERVAL.toMillis(), config.timeout().toMillis() / 10);
        vertx.setPeriodic(Math.max(1, interval), ignored -> endOverdue());
    }

    void endOverdue() {
        Instant latest = clock.instant().minus(config.timeout());
        for (Run run : registry.active()) {
            if (run.isRunningSince(latest)) {
                run.stop(RunStatus.TIMEOUT, RunErrors.timeout(config.timeout()));
            }
        }
    }
}
