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
import dev.waybill.export.run.WorkDue;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Shows and cancels exports, and makes those of schedules. */
@Singleton
public class BulkExportService {

    private final Database database;
    private final BulkExportRepository exports;
    private final ExportRunService runs;
    private final ExportRules rules;
    private final ExportMaker maker;
    private final Event<WorkDue> workDue;

    BulkExportService(Database database, BulkExportRepository exports, ExportRunService runs, ExportRules rules,
            ExportMaker maker, Event<WorkDue> workDue) {
        this.database = database;
        this.exports = exports;
        this.runs = runs;
        this.rules = rules;
        this.maker = maker;
        this.workDue = workDue;
    }

    /**
     * Makes an export of a range as the schedule says, in the transaction of a caller that holds the schedule's row: its
     * destination is there as long as it is alive.
     *
     * @param windowNumber which of the schedule's windows the range is, null when it is none
     */
    public Uni<UUID> spawn(SqlConnection connection, UUID tenantId, UUID scheduleId, Range range,
            @Nullable Long windowNumber) {
        return maker.spawned(connection, tenantId, scheduleId, range, windowNumber);
    }

    /** Makes an export of any range as a schedule says, also while that is paused. */
    Uni<BulkExportResponse> backfill(UUID tenantId, UUID scheduleId, BackfillRequest request) {
        rules.checkRange(request.startTime(), request.endTime());
        Range range = new Range(request.startTime(), request.endTime());
        return database.inWorkspace(tenantId, connection -> exports.requireRoom(connection, tenantId)
                .chain(() -> exports.lock(connection, tenantId, scheduleId))
                .chain(() -> exports.require(connection, tenantId, scheduleId))
                .invoke(BulkExport::requireLiveSchedule)
                .call(schedule -> exports.requireSession(connection, tenantId, schedule.sessionId()))
                .chain(() -> spawn(connection, tenantId, scheduleId, range, null))
                .call(id -> maker.mark(connection, id))
                .chain(id -> exports.require(connection, tenantId, id)))
                .map(BulkExport::toResponse)
                .invoke(() -> workDue.fire(new WorkDue()));
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
     * Cancels the export and whatever of its runs has not ended. No object of it becomes visible more than a few seconds
     * later: workers compare their lease's token, which this raises.
     */
    Uni<BulkExportResponse> cancel(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> exports.lock(connection, tenantId, id)
                .chain(status -> cancel(connection, tenantId, id, status))
                .chain(() -> exports.require(connection, tenantId, id)))
                .map(BulkExport::toResponse)
                .invoke(() -> workDue.fire(new WorkDue()));
    }

    private Uni<Void> cancel(SqlConnection connection, UUID tenantId, UUID id, BulkExportStatus status) {
        if (status == BulkExportStatus.CANCELLED) {
            return Uni.createFrom().voidItem();
        }
        if (!status.mayBecome(BulkExportStatus.CANCELLED)) {
            return Uni.createFrom().failure(ProblemException.conflict(
                    "The export has ended as " + status + " and cannot be cancelled any more."));
        }
        return exports.end(connection, tenantId, id, BulkExportStatus.CANCELLED)
                .chain(() -> runs.endUnfinished(connection, tenantId, id, RunState.CANCELLED));
    }
}
