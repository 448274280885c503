package dev.waybill.export.execution;

import java.util.Collection;
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

    private final MeterRegistry registry;
    private final Counter rows;
    private final Counter bytes;
    private volatile QueueState queue = QueueState.EMPTY;

    ExecutionMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.rows = registry.counter("waybill.export.rows");
        this.bytes = registry.counter("waybill.export.bytes");
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
        registry.counter("waybill.export.attempts", "outcome", outcome, "code", code).increment();
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
