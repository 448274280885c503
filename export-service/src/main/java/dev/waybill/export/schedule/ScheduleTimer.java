package dev.waybill.export.schedule;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Looks for windows that are due, and for rows that came too late for theirs. */
@Singleton
class ScheduleTimer {

    private final ScheduleService schedules;
    private final LateRowService lateRows;

    ScheduleTimer(ScheduleService schedules, LateRowService lateRows) {
        this.schedules = schedules;
        this.lateRows = lateRows;
    }

    @Scheduled(identity = "schedules", every = "{waybill.export.schedule.every}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> step() {
        return schedules.stepAll();
    }

    @Scheduled(identity = "late-rows", every = "{waybill.export.schedule.late-every}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> count() {
        return lateRows.countAll();
    }
}
