package dev.waybill.export.execution;

import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import jakarta.inject.Singleton;

import dev.waybill.export.job.ExportLifecycleService;
import dev.waybill.export.job.ExportLifecycleService.QueueState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/**
 * Metrics of exported rows, failed attempts and waiting exports (docs/operations/metrics.md). No label identifies a
 * tenant.
 */
@Singleton
class ExecutionMetrics {

    /** Error codes that trigger the alert WaybillExportRunsFail (k8s/monitoring/alerts.yml). */
    private static final List<String> OPERATOR_ERRORS = List.of("source_unavailable", "credentials_unavailable", "worker_lost",
            "internal");

    private final MeterRegistry registry;
    private final ExportLifecycleService exports;
    private final Counter rows;
    private final Counter bytes;
    private volatile QueueState queue = QueueState.EMPTY;

    ExecutionMetrics(MeterRegistry registry, ExportLifecycleService exports) {
        this.registry = registry;
        this.exports = exports;
        this.rows = registry.counter("waybill.export.rows");
        this.bytes = registry.counter("waybill.export.bytes");
        // Prometheus sees an increase only of a series that existed before.
        OPERATOR_ERRORS.forEach(code -> attempts("failed", code));
        gauge("waybill.export.exports.waiting", QueueState::waitingExports);
        gauge("waybill.export.exports.running", QueueState::runningExports);
        gauge("waybill.export.queue.age.seconds", QueueState::queueAgeSeconds);
        gauge("waybill.export.lag.seconds", QueueState::lagSeconds);
    }

    /** Registers the gauge of runs that this replica writes. */
    void registerRunningRuns(Supplier<Number> runs) {
        Gauge.builder("waybill.export.runs.running", runs).register(registry);
    }

    void attemptEnded(String outcome, String code) {
        attempts(outcome, code).increment();
    }

    private Counter attempts(String outcome, String code) {
        return registry.counter("waybill.export.attempts", "outcome", outcome, "code", code);
    }

    void addWritten(long addedRows, long addedBytes) {
        rows.increment(addedRows);
        bytes.increment(addedBytes);
    }

    /** Reads the values of the queue gauges, so that a scrape runs no query. */
    @Scheduled(identity = "export-queue", every = "10s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> readQueueState() {
        return exports.queueState()
                .invoke(state -> queue = state)
                .replaceWithVoid();
    }

    private void gauge(String name, ToDoubleFunction<QueueState> value) {
        Gauge.builder(name, () -> value.applyAsDouble(queue)).register(registry);
    }
}
