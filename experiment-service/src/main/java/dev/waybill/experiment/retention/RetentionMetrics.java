package dev.waybill.experiment.retention;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.MeterRegistry;

/** What was removed; nothing in it names a tenant. */
@Singleton
class RetentionMetrics {

    private final MeterRegistry registry;

    RetentionMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    void removed(TraceTier tier, long runs) {
        registry.counter("waybill.retention.runs", "tier", tier.toString()).increment(runs);
    }

    void dropped(long partitions) {
        registry.counter("waybill.retention.partitions").increment(partitions);
    }
}
