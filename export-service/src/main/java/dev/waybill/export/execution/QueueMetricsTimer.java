package dev.waybill.export.execution;

import jakarta.inject.Singleton;

import dev.waybill.export.job.ExportLifecycleService;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Reads the queue state every ten seconds, so that a scrape of the metrics runs no query. */
@Singleton
class QueueMetricsTimer {

    private final ExportLifecycleService exports;
    private final ExecutionMetrics metrics;

    QueueMetricsTimer(ExportLifecycleService exports, ExecutionMetrics metrics) {
        this.exports = exports;
        this.metrics = metrics;
    }

    @Scheduled(identity = "export-queue", every = "10s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> measure() {
        return exports.queueState()
                .invoke(metrics::setQueueState)
                .replaceWithVoid();
    }
}
