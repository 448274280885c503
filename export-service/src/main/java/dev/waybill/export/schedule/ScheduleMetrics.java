package dev.waybill.export.schedule;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.MeterRegistry;

/** What schedules did; nothing in it names a tenant. */
@Singleton
class ScheduleMetrics {

    private final MeterRegistry registry;

    ScheduleMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    void spawned() {
        registry.counter("waybill.export.schedule.windows").increment();
    }

    void paused() {
        registry.counter("waybill.export.schedule.pauses").increment();
    }

    void late(long rows) {
        registry.counter("waybill.export.late.rows").increment(rows);
    }
}
