package dev.waybill.export.execution;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.MeterRegistry;

/** What was exported and what failed; labels are words of ours, never a tenant's. */
@Singleton
class ExecutionMetrics {

    private final MeterRegistry registry;

    ExecutionMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    void attemptEnded(String outcome) {
        registry.counter("waybill.export.attempts", "outcome", outcome).increment();
    }

    void exported(long rows, long bytes) {
        registry.counter("waybill.export.rows").increment(rows);
        registry.counter("waybill.export.bytes").increment(bytes);
    }

    void failed(String code) {
        registry.counter("waybill.export.failures", "code", code).increment();
    }
}
