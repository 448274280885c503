package dev.waybill.export.schedule;

import java.util.UUID;

import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.export.job.BulkExportService;
import dev.waybill.export.run.WorkDue;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Makes exports of the windows that are due. Whoever makes one holds the schedule's row and moves it on in the same
 * transaction: so each window has one export however many replicas look, and none once a cancel was answered.
 */
@Singleton
class ScheduleService {

    private static final Logger LOG = Logger.getLogger(ScheduleService.class);
    private static final int AT_ONCE = 500;

    private final Database database;
    private final ScheduleRepository schedules;
    private final BulkExportService exports;
    private final ScheduleMetrics metrics;
    private final ScheduleConfig config;
    private final Event<WorkDue> workDue;

    ScheduleService(Database database, ScheduleRepository schedules, BulkExportService exports, ScheduleMetrics metrics,
            ScheduleConfig config, Event<WorkDue> workDue) {
        this.database = database;
        this.schedules = schedules;
        this.exports = exports;
        this.metrics = metrics;
        this.config = config;
        this.workDue = workDue;
    }

    /** Makes the next step of every schedule that is due. One that fails does not hold up the others. */
    Uni<Void> stepAll() {
        return database.everyWorkspace(connection -> schedules.due(connection, config.delay(), AT_ONCE))
                .onItem().transformToMulti(due -> Multi.createFrom().iterable(due))
                .onItem().transformToUniAndConcatenate(found -> step(found.tenantId(), found.id())
                        .onFailure().invoke(failure -> LOG.warnf(failure,
                                "a schedule could not go on; the next turn tries again: tenant_id=%s schedule_id=%s",
                                found.tenantId(), found.id()))
                        .onFailure().recoverWithItem(NextStep.Wait.NOT_FREE))
                .collect().last()
                .replaceWithVoid();
    }

    /** Makes the next step of a schedule, if it is due for one and no other replica is at it. */
    Uni<NextStep> step(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> schedules.lock(connection, tenantId, id)
                .chain(found -> found.isPresent()
                        ? step(connection, found.get())
                        : Uni.createFrom().<NextStep> item(NextStep.Wait.NOT_FREE)))
                .invoke(step -> tell(step, tenantId, id));
    }

    private Uni<NextStep> step(SqlConnection connection, Schedule schedule) {
        return schedules.circumstances(connection, schedule, config.failures())
                .map(seen -> config.rules().next(schedule, seen))
                .call(step -> make(connection, schedule, step));
    }

    private Uni<Void> make(SqlConnection connection, Schedule schedule, NextStep step) {
        return switch (step) {
            case NextStep.Spawn(Window window) -> exports
                    .spawn(connection, schedule.tenantId(), schedule.id(), window.range(), window.number())
                    .chain(() -> schedules.advance(connection, schedule));
            case NextStep.Pause(String reason) -> schedules.pause(connection, schedule, reason);
            case NextStep.Wait ignored -> Uni.createFrom().voidItem();
        };
    }

    private void tell(NextStep step, UUID tenantId, UUID id) {
        switch (step) {
            case NextStep.Spawn(Window window) -> {
                metrics.spawned();
                workDue.fire(new WorkDue());
                LOG.infof("a window of a schedule is exported: tenant_id=%s schedule_id=%s window=%d start_time=%s", tenantId,
                        id, window.number(), window.startTime());
            }
            case NextStep.Pause(String reason) -> {
                metrics.paused();
                LOG.warnf("a schedule is paused: tenant_id=%s schedule_id=%s reason=%s", tenantId, id, reason);
            }
            case NextStep.Wait ignored -> {
                // Nothing happened.
            }
        }
    }
}
