package dev.waybill.export.execution;

import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;

import jakarta.inject.Singleton;

import dev.waybill.export.job.QueueState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/** What is exported, what fails and what waits (docs/operations.md "Metrics"); labels are words of ours, never a tenant's. */
@Singleton
class ExecutionMetrics {

    /** Codes of failures that page (k8s/monitoring/alerts.yml, WaybillExportRunsFail). */
    private static final List<String> OF_OURS = List.of("source_unavailable", "credentials_unavailable", "worker_lost",
            "internal");

    private final MeterRegistry registry;
    private final Counter rows;
    private final Counter bytes;
    private volatile QueueState queue = QueueState.EMPTY;

    ExecutionMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.rows = registry.counter("waybill.export.rows");
        this.bytes = registry.counter("waybill.export.bytes");
        // An increase is seen only of what was there before, as nothing.
        OF_OURS.forEach(code -> attempts("failed", code));
        gauge("waybill.export.exports.waiting", QueueState::waitingExports);
        gauge("waybill.export.exports.running", QueueState::runningExports);
        gauge("waybill.export.queue.age.seconds", QueueState::queueAgeSeconds);
        gauge("waybill.export.lag.seconds", QueueState::lagSeconds);
    }

    /** What this replica has under way, for as long as it lives. */
    void watch(Collection<?> runs) {
        registry.gaugeCollectionSize("waybill.export.runs.running", Tags.empty(), runs);
    }

    void attemptEnded(String outcome, String code) {
        attempts(outcome, code).increment();
    }

    private Counter attempts(String outcome, String code) {
        return registry.counter("waybill.export.attempts", "outcome", outcome, "code", code);
    }

    void written(long moreRows, long moreBytes) {
        rows.increment(moreRows);
        bytes.increment(moreBytes);
    }

    /** What is told about the queue until the next time; a scrape asks nobody. */
    void queueIs(QueueState state) {
        queue = state;
    }

    private void gauge(String name, ToDoubleFunction<QueueState> value) {
        Gauge.builder(name, () -> value.applyAsDouble(queue)).register(registry);
    }
}
