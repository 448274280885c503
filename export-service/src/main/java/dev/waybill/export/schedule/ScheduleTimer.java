package dev.waybill.export.schedule;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Exports due windows and counts late rows at fixed intervals. */
@Singleton
class ScheduleTimer {

    private final ScheduleService schedules;
    private final LateRowService lateRows;

    ScheduleTimer(ScheduleService schedules, LateRowService lateRows) {
        this.schedules = schedules;
        this.lateRows = lateRows;
    }

    @Scheduled(identity = "schedules", every = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> advance() {
        return schedules.advanceAll();
    }

    @Scheduled(identity = "late-rows", every = "{waybill.export.schedule.late-rows-interval}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> count() {
        return lateRows.countAll();
    }
}
