package dev.waybill.export.execution;

import java.util.List;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import dev.waybill.common.job.JobRunner;
import dev.waybill.common.logging.LoggingContext;
import dev.waybill.export.run.ExportRunService.WorkAvailable;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;

/**
 * Starts the manifests and runs that are due: at the poll interval, when this replica creates or cancels an export, and when a
 * job ends. Manifests come first, because they complete an export.
 */
@Singleton
class ExecutionTimer {

    private static final String POLL_INTERVAL = "1s";
    // The claim of a run changes the order of the next claim.
    private static final int MAX_PER_CLAIM = 1;

    private final JobRunner runner;

    ExecutionTimer(Database database, MeterRegistry registry, LoggingContext loggingContext, ManifestJobHandler manifests,
            PartitionJobHandler runs, ExecutionMetrics metrics) {
        this.runner = new JobRunner(database, registry, loggingContext, MAX_PER_CLAIM, List.of(manifests, runs));
        metrics.registerRunningRuns(() -> runner.running(runs));
    }

    @Scheduled(identity = "export-jobs", every = POLL_INTERVAL, delayed = "0s")
    void poll() {
        runner.poll();
    }

    void onWorkAvailable(@Observes WorkAvailable ignored) {
        runner.poll();
    }

    void stop(@Observes ShutdownEvent ignored) {
        runner.stop();
    }
}
