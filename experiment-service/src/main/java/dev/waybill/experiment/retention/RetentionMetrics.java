package dev.waybill.experiment.retention;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts deleted runs and dropped partitions; no label identifies a tenant. */
@Singleton
class RetentionMetrics {

    private final MeterRegistry registry;
    private final Counter partitions;

    // Counters are registered at start, because Prometheus sees an increase only of existing series.
    RetentionMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.partitions = registry.counter("waybill.retention.partitions");
        for (TraceTier tier : TraceTier.values()) {
            runs(tier);
        }
    }

    void deleted(TraceTier tier, long runs) {
        runs(tier).increment(runs);
    }

    void dropped(long count) {
        partitions.increment(count);
    }

    private Counter runs(TraceTier tier) {
        return registry.counter("waybill.retention.runs", "tier", tier.toString());
    }
}
