package dev.waybill.export.job;

import java.time.Instant;
import java.util.UUID;

import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BackfillRequest;
import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.CreatedResourceRecorder;
import dev.waybill.common.page.Page;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.secret.SecretUnavailableException;
import dev.waybill.export.destination.DestinationOpener;
import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.run.ExportRunService;
import dev.waybill.export.run.ExportRunService.WorkAvailable;
import dev.waybill.export.run.ExportRunState;
import dev.waybill.export.storage.StorageException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Creates, reads and cancels exports (contract.md "Bulk export"). */
@Singleton
public class BulkExportService {

    private final Database database;
    private final BulkExportRepository exports;
    private final ExportRunService runs;
    private final CreateBulkExportValidator rules;
    private final DestinationOpener destinations;
    private final Ids ids;
    private final CreatedResourceRecorder idempotency;
    private final Event<WorkAvailable> workDue;
    private final ChangeRecorder changes;

    BulkExportService(Database database, BulkExportRepository exports, ExportRunService runs, CreateBulkExportValidator rules,
            DestinationOpener destinations, Ids ids, CreatedResourceRecorder idempotency, Event<WorkAvailable> workDue,
            ChangeRecorder changes) {
        this.database = database;
        this.exports = exports;
        this.runs = runs;
        this.rules = rules;
        this.destinations = destinations;
        this.ids = ids;
        this.idempotency = idempotency;
        this.workDue = workDue;
        this.changes = changes;
    }

    /** Creates an export and its runs, or a scheduled export, in one transaction. */
    Uni<BulkExportResponse> create(UUID tenantId, CreateBulkExportRequest request) {
        ExportSpec spec = rules.spec(request);
        return keyPrefix(tenantId, spec)
                .chain(keyPrefix -> database.inWorkspace(tenantId,
                        connection -> create(connection, tenantId, keyPrefix, spec)))
                .map(BulkExport::toResponse)
                .invoke(created -> announce(tenantId, created.id()));
    }

    private void announce(UUID tenantId, UUID exportId) {
        changes.ofExport(tenantId, exportId);
        workDue.fire(new WorkAvailable());
    }

    /** Validates a request as {@link #create} does, without creating anything. */
    public Uni<ValidatedExport> validate(UUID tenantId, CreateBulkExportRequest request) {
        ExportSpec spec = rules.spec(request);
        return keyPrefix(tenantId, spec)
                .chain(() -> database.inWorkspace(tenantId,
                        connection -> exports.requireSession(connection, tenantId, spec.sessionId())))
                .map(sessionName -> new ValidatedExport(spec, sessionName));
    }

    private Uni<String> keyPrefix(UUID tenantId, ExportSpec spec) {
        return destinations.open(tenantId, spec.destinationId())
                .invoke(OpenDestination::close)
                .map(OpenDestination::keyPrefix)
                .onFailure(StorageException.class).transform(BulkExportService::unusable)
                .onFailure(SecretUnavailableException.class)
                .transform(e -> ProblemException.conflict(DestinationOpener.CREDENTIALS_UNAVAILABLE));
    }

    private Uni<BulkExport> create(SqlConnection connection, UUID tenantId, String keyPrefix, ExportSpec spec) {
        return exports.requireExportCapacity(connection, tenantId)
                .chain(() -> exports.requireSession(connection, tenantId, spec.sessionId()))
                .chain(() -> destinations.requireForUse(connection, tenantId, spec.destinationId()))
                .chain(() -> insert(connection, tenantId, keyPrefix, spec))
                .call(id -> idempotency.recordCreated(id, connection))
                .chain(id -> exports.require(connection, tenantId, id));
    }

    // A scheduled export has no runs of its own.
    private Uni<UUID> insert(SqlConnection connection, UUID tenantId, String keyPrefix, ExportSpec spec) {
        UUID id = ids.newId();
        return exports.prefixWarnings(connection, tenantId, keyPrefix, spec)
                .chain(warnings -> exports.insert(connection, tenantId, id, keyPrefix, spec, warnings))
                .chain(() -> spec.intervalHours() == null
                        ? runs.plan(connection, tenantId, id, spec.startTime(), spec.endTime())
                        : Uni.createFrom().voidItem())
                .replaceWith(id);
    }

    private static ProblemException unusable(Throwable storage) {
        return ProblemException.conflict("The destination cannot be used: " + storage.getMessage());
    }

    /**
     * Creates an export of a range with the schedule's settings, in the transaction of a caller that has locked the schedule's
     * row. A live schedule prevents the deletion of its destination.
     *
     * @param windowNumber number of the schedule's window; null for a backfill
     */
    public Uni<UUID> spawn(SqlConnection connection, UUID tenantId, UUID scheduleId, TimeRange range,
            @Nullable Long windowNumber) {
        UUID id = ids.newId();
        return exports.insertSpawned(connection, tenantId, id, scheduleId, range, windowNumber)
                .chain(() -> runs.plan(connection, tenantId, id, range.startTime(), range.endTime()))
                .replaceWith(id);
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
                .call(id -> idempotency.recordCreated(id, connection))
                .chain(id -> exports.require(connection, tenantId, id)))
                .map(BulkExport::toResponse)
                .invoke(created -> {
                    changes.ofExport(tenantId, scheduleId);
                    announce(tenantId, created.id());
                });
    }

    Uni<BulkExportResponse> get(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> exports.require(connection, tenantId, id))
                .map(BulkExport::toResponse);
    }

    Uni<Page<BulkExportResponse>> list(UUID tenantId, BulkExportFilter filter) {
        return database.inWorkspace(tenantId, connection -> exports.list(connection, tenantId, filter)
                .chain(found -> exports.count(connection, tenantId, filter)
                        .map(total -> Page.of(found, BulkExport::toResponse, total))));
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
                .invoke(() -> announce(tenantId, id));
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
                .chain(() -> runs.endUnfinished(connection, tenantId, id, ExportRunState.CANCELLED));
    }

    /**
     * A valid export specification whose destination and session exist.
     *
     * @param sessionName the tracing project's name
     */
    public record ValidatedExport(ExportSpec spec, String sessionName) {
    }

    /** A half-open range of start times. */
    public record TimeRange(Instant startTime, Instant endTime) {

        public TimeRange {
            if (!endTime.isAfter(startTime)) {
                throw new IllegalArgumentException("endTime must be after startTime");
            }
        }
    }
}
