package dev.waybill.export.schedule;

import java.util.UUID;

import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.export.job.BulkExportService;
import dev.waybill.export.job.ExportNotifications;
import dev.waybill.export.run.ExportRunService.WorkAvailable;
import dev.waybill.export.schedule.Schedule.Window;
import dev.waybill.export.schedule.ScheduleRules.Action;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Creates the exports of due windows. The transaction locks and advances the schedule's row, so that replicas create exactly
 * one export for each window and none after a cancellation.
 */
@Singleton
class ScheduleService {

    private static final Logger LOG = Logger.getLogger(ScheduleService.class);
    private static final int BATCH_SIZE = 500;

    private final Database database;
    private final ScheduleRepository schedules;
    private final BulkExportService exports;
    private final Counter windows;
    private final Counter pauses;
    private final ScheduleConfig config;
    private final Event<WorkAvailable> workDue;
    private final ChangeRecorder changes;
    private final ExportNotifications notifications;

    ScheduleService(Database database, ScheduleRepository schedules, BulkExportService exports, MeterRegistry registry,
            ScheduleConfig config, Event<WorkAvailable> workDue, ChangeRecorder changes,
            ExportNotifications notifications) {
        this.database = database;
        this.schedules = schedules;
        this.exports = exports;
        // Prometheus sees an increase only of a series that existed before.
        this.windows = registry.counter("waybill.export.schedule.windows");
        this.pauses = registry.counter("waybill.export.schedule.pauses");
        this.config = config;
        this.workDue = workDue;
        this.changes = changes;
        this.notifications = notifications;
    }

    /** Performs the next action of every due schedule. A failure of one does not affect the others. */
    @Scheduled(identity = "schedules", every = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> advanceAll() {
        return database.everyWorkspace(connection -> schedules.due(connection, config.delay(), BATCH_SIZE))
                .onItem().transformToMulti(due -> Multi.createFrom().iterable(due))
                .onItem().transformToUniAndConcatenate(found -> advance(found.tenantId(), found.id())
                        .onFailure().invoke(failure -> LOG.warnf(failure,
                                "could not advance a schedule; it is retried at the next poll: tenant_id=%s schedule_id=%s",
                                found.tenantId(), found.id()))
                        .onFailure().recoverWithItem(Action.Wait.LOCKED))
                .collect().last()
                .replaceWithVoid();
    }

    /** Performs the next action of a schedule, unless another replica has locked it. */
    Uni<Action> advance(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> schedules.lock(connection, tenantId, id)
                .chain(found -> found.isPresent()
                        ? advance(connection, found.get())
                        : Uni.createFrom().<Action> item(Action.Wait.LOCKED)))
                .invoke(advance -> report(advance, tenantId, id));
    }

    private Uni<Action> advance(SqlConnection connection, Schedule schedule) {
        return schedules.context(connection, schedule, ScheduleRules.MAX_FAILURES)
                .map(context -> config.rules().next(schedule, context))
                .call(advance -> perform(connection, schedule, advance));
    }

    private Uni<Void> perform(SqlConnection connection, Schedule schedule, Action advance) {
        return switch (advance) {
            case Action.Spawn(Window window) -> exports
                    .spawn(connection, schedule.tenantId(), schedule.id(), window.range(), window.number())
                    .chain(() -> schedules.advance(connection, schedule));
            case Action.Pause(String reason) -> schedules.pause(connection, schedule, reason)
                    .chain(() -> notifications.paused(connection, schedule.tenantId(), schedule.id(), reason));
            case Action.Wait ignored -> Uni.createFrom().voidItem();
        };
    }

    private void report(Action advance, UUID tenantId, UUID id) {
        switch (advance) {
            case Action.Spawn(Window window) -> {
                windows.increment();
                changes.ofExport(tenantId, id);
                workDue.fire(new WorkAvailable());
                LOG.infof("created the export of a schedule's window: tenant_id=%s schedule_id=%s window=%s start_time=%s",
                        tenantId,
                        id, window.number(), window.startTime());
            }
            case Action.Pause(String reason) -> {
                pauses.increment();
                changes.ofExport(tenantId, id);
                LOG.warnf("paused a schedule: tenant_id=%s schedule_id=%s reason=%s", tenantId, id, reason);
            }
            case Action.Wait ignored -> {
                // Nothing to report.
            }
        }
    }
}
