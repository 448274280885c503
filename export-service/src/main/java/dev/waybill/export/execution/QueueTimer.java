package dev.waybill.export.execution;

import jakarta.inject.Singleton;

import dev.waybill.export.job.ExportOutcomeService;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Looks now and then how much waits, so that a scrape of the metrics costs no query. */
@Singleton
class QueueTimer {

    private final ExportOutcomeService outcomes;
    private final ExecutionMetrics metrics;

    QueueTimer(ExportOutcomeService outcomes, ExecutionMetrics metrics) {
        this.outcomes = outcomes;
        this.metrics = metrics;
    }

    @Scheduled(identity = "export-queue", every = "{waybill.export.execution.measure-every}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> measure() {
        return outcomes.queueState()
                .invoke(metrics::queueIs)
                .replaceWithVoid();
    }
}
