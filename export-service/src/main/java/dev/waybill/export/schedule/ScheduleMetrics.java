package dev.waybill.export.schedule;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.MeterRegistry;

/** What schedules did; nothing in it names a tenant. */
@Singleton
class ScheduleMetrics {

    private static final String PAUSES = "waybill.export.schedule.pauses";

    private final MeterRegistry registry;

    ScheduleMetrics(MeterRegistry registry) {
        this.registry = registry;
        // An increase is seen only of what was there before, as nothing.
        registry.counter(PAUSES);
    }

    void spawned() {
        registry.counter("waybill.export.schedule.windows").increment();
    }

    void paused() {
        registry.counter(PAUSES).increment();
    }

    void late(long rows) {
        registry.counter("waybill.export.late.rows").increment(rows);
    }
}
