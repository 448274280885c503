package dev.waybill.experiment.retention;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What was removed; nothing in it names a tenant. */
@Singleton
class RetentionMetrics {

    private final MeterRegistry registry;
    private final Counter partitions;

    // All from the beginning: an increase is seen only of what was there before, as nothing.
    RetentionMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.partitions = registry.counter("waybill.retention.partitions");
        for (TraceTier tier : TraceTier.values()) {
            runs(tier);
        }
    }

    void removed(TraceTier tier, long runs) {
        runs(tier).increment(runs);
    }

    void dropped(long gone) {
        partitions.increment(gone);
    }

    private Counter runs(TraceTier tier) {
        return registry.counter("waybill.retention.runs", "tier", tier.toString());
    }
}
