package dev.waybill.export.schedule;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Metrics of schedules. No label identifies a tenant. */
@Singleton
class ScheduleMetrics {

    private final Counter windows;
    private final Counter pauses;
    private final Counter lateRows;

    // Registered at startup, as Prometheus sees an increase only of a series that existed before.
    ScheduleMetrics(MeterRegistry registry) {
        this.windows = registry.counter("waybill.export.schedule.windows");
        this.pauses = registry.counter("waybill.export.schedule.pauses");
        this.lateRows = registry.counter("waybill.export.late.rows");
    }

    void spawned() {
        windows.increment();
    }

    void paused() {
        pauses.increment();
    }

    void late(long rows) {
        lateRows.increment(rows);
    }
}
