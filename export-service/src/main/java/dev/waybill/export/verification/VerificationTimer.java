package dev.waybill.export.verification;

import java.util.List;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import dev.waybill.common.job.JobRunner;
import dev.waybill.common.logging.LoggingContext;
import dev.waybill.export.verification.VerificationService.VerificationCreated;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;

/** Starts the verifications that are due: at the poll interval, when this replica creates one, and when one ends. */
@Singleton
class VerificationTimer {

    private static final String POLL_INTERVAL = "2s";
    // A claim excludes further ones of its workspace.
    private static final int MAX_PER_CLAIM = 1;

    private final JobRunner runner;

    VerificationTimer(Database database, MeterRegistry registry, LoggingContext loggingContext,
            VerificationJobHandler verifications) {
        this.runner = new JobRunner(database, registry, loggingContext, MAX_PER_CLAIM, List.of(verifications));
    }

    @Scheduled(identity = "verifications", every = POLL_INTERVAL, delayed = "0s")
    void poll() {
        runner.poll();
    }

    void onCreated(@Observes VerificationCreated ignored) {
        runner.poll();
    }

    void stop(@Observes ShutdownEvent ignored) {
        runner.stop();
    }
}
