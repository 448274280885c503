package dev.waybill.runtime.run;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import dev.waybill.runtime.storage.RuntimeStorage;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;

/** Extends the replica's lease while it has runs on threads, and looks for runs of lost replicas. */
@Singleton
class ReplicaTimer {

    private static final Logger LOG = Logger.getLogger(ReplicaTimer.class);
    private static final Duration TICK = Duration.ofSeconds(1);
    /** After a start, runs of a replica that was killed shortly before are claimed when its lease has expired. */
    private static final Duration EARLY_RECOVERY = Duration.ofSeconds(5);
    private static final int EARLY_RECOVERIES = 3;
    private static final Duration RECOVERY = Duration.ofSeconds(5);
    /** Intervals after which a runtime that is not in use claims lost runs; a killed one does so when it starts again. */
    private static final int IDLE_INTERVALS = 60;
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(3);
    /** After {@link RunRegistry}, which ends the remaining runs. */
    private static final int AFTER_RUNS = Interceptor.Priority.APPLICATION + 600;

    private final RuntimeStorage storage;
    private final ThreadRuns runs;
    private final RunEndPoller ends;
    private final AtomicInteger intervals = new AtomicInteger();

    ReplicaTimer(RuntimeStorage storage, ThreadRuns runs, RunEndPoller ends) {
        this.storage = storage;
        this.runs = runs;
        this.ends = ends;
    }

    void begin(@Observes StartupEvent starting, Vertx vertx) {
        if (storage.find().isEmpty()) {
            return;
        }
        vertx.setPeriodic(TICK.toMillis(), ignored -> {
            runs.tick();
            ends.tick();
        });
        vertx.setPeriodic(RECOVERY.toMillis(), ignored -> {
            if (intervals.incrementAndGet() % IDLE_INTERVALS == 0 || storage.isInUse()) {
                runs.recover();
            }
        });
        runs.recover();
        for (int i = 1; i <= EARLY_RECOVERIES; i++) {
            vertx.setTimer(i * EARLY_RECOVERY.toMillis(), ignored -> runs.recover());
        }
    }

    void stop(@Observes @Priority(AFTER_RUNS) ShutdownDelayInitiatedEvent stopping) throws InterruptedException {
        if (storage.find().isPresent()) {
            try {
                runs.leave().toCompletableFuture().get(LEAVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                LOG.warnf("could not end the lease of this replica: %s", e.getMessage());
            }
        }
    }
}
