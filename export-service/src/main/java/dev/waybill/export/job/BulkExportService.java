package dev.waybill.export.job;

import java.util.UUID;

import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BackfillRequest;
import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.database.Database;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.Slice;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.export.run.ExportRunService;
import dev.waybill.export.run.RunState;
import dev.waybill.export.run.WorkAvailable;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Reads and cancels exports, and creates the exports of schedules. */
@Singleton
public class BulkExportService {

    private final Database database;
    private final BulkExportRepository exports;
    private final ExportRunService runs;
    private final ExportRules rules;
    private final ExportCreator creator;
    private final Event<WorkAvailable> workDue;

    BulkExportService(Database database, BulkExportRepository exports, ExportRunService runs, ExportRules rules,
            ExportCreator creator, Event<WorkAvailable> workDue) {
        this.database = database;
        this.exports = exports;
        this.runs = runs;
        this.rules = rules;
        this.creator = creator;
        this.workDue = workDue;
    }

    /**
     * Creates an export of a range with the schedule's settings, in the transaction of a caller that has locked the schedule's
     * row. A live schedule prevents the deletion of its destination.
     *
     * @param windowNumber number of the schedule's window; null for a backfill
     */
    public Uni<UUID> spawn(SqlConnection connection, UUID tenantId, UUID scheduleId, TimeRange range,
            @Nullable Long windowNumber) {
        return creator.spawn(connection, tenantId, scheduleId, range, windowNumber);
    }

    /** Creates an export of any range with the schedule's settings, also while the schedule is paused. */
    Uni<BulkExportResponse> backfill(UUID tenantId, UUID scheduleId, BackfillRequest request) {
        rules.checkRange(request.startTime(), request.endTime());
        TimeRange range = new TimeRange(request.startTime(), request.endTime());
        return database.inWorkspace(tenantId, connection -> exports.requireExportCapacity(connection, tenantId)
                .chain(() -> exports.lock(connection, tenantId, scheduleId))
                .chain(() -> exports.require(connection, tenantId, scheduleId))
                .invoke(BulkExport::requireLiveSchedule)
                .call(schedule -> exports.requireSession(connection, tenantId, schedule.sessionId()))
                .chain(() -> spawn(connection, tenantId, scheduleId, range, null))
                .call(id -> creator.recordCreation(connection, id))
                .chain(id -> exports.require(connection, tenantId, id)))
                .map(BulkExport::toResponse)
                .invoke(() -> workDue.fire(new WorkAvailable()));
    }

    Uni<BulkExportResponse> get(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> exports.require(connection, tenantId, id))
                .map(BulkExport::toResponse);
    }

    Uni<Slice<BulkExportResponse>> list(UUID tenantId, Page page) {
        return database.inWorkspace(tenantId, connection -> exports.list(connection, tenantId, page)
                .chain(found -> exports.count(connection, tenantId)
                        .map(total -> Slice.of(found, BulkExport::toResponse, total))));
    }

    /**
     * Cancels the export and its unfinished runs. The higher lease token stops its workers, so that no object becomes visible
     * more than a few seconds later.
     */
    Uni<BulkExportResponse> cancel(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> exports.lock(connection, tenantId, id)
                .chain(status -> cancel(connection, tenantId, id, status))
                .chain(() -> exports.require(connection, tenantId, id)))
                .map(BulkExport::toResponse)
                .invoke(() -> workDue.fire(new WorkAvailable()));
    }

    private Uni<Void> cancel(SqlConnection connection, UUID tenantId, UUID id, BulkExportStatus status) {
        if (status == BulkExportStatus.CANCELLED) {
            return Uni.createFrom().voidItem();
        }
        if (!status.mayBecome(BulkExportStatus.CANCELLED)) {
            return Uni.createFrom().failure(ProblemException.conflict(
                    "The export has ended as " + status + " and cannot be cancelled."));
        }
        return exports.end(connection, tenantId, id, BulkExportStatus.CANCELLED)
                .chain(() -> runs.endUnfinished(connection, tenantId, id, RunState.CANCELLED));
    }
}
