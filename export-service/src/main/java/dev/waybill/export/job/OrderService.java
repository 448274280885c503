package dev.waybill.export.job;

import java.util.UUID;

import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;

import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.secret.SecretUnavailableException;
import dev.waybill.export.destination.DestinationOpener;
import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.run.WorkDue;
import dev.waybill.export.storage.StorageException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Takes orders for exports (contract.md "Bulk export"). */
@Singleton
public class OrderService {

    private final Database database;
    private final ExportRules rules;
    private final DestinationOpener destinations;
    private final BulkExportRepository exports;
    private final ExportMaker maker;
    private final Event<WorkDue> workDue;

    OrderService(Database database, ExportRules rules, DestinationOpener destinations, BulkExportRepository exports,
            ExportMaker maker, Event<WorkDue> workDue) {
        this.database = database;
        this.rules = rules;
        this.destinations = destinations;
        this.exports = exports;
        this.maker = maker;
        this.workDue = workDue;
    }

    /** Makes an export and its runs, or a schedule, in one transaction. */
    Uni<BulkExportResponse> create(UUID tenantId, CreateBulkExportRequest request) {
        ExportOrder order = rules.order(request);
        return keyPrefix(tenantId, order)
                .chain(keyPrefix -> database.inWorkspace(tenantId,
                        connection -> create(connection, tenantId, keyPrefix, order)))
                .map(BulkExport::toResponse)
                .invoke(() -> workDue.fire(new WorkDue()));
    }

    /** The order in a request, which would be taken as things are now; fails where {@link #create} would, and makes nothing. */
    public Uni<CheckedOrder> check(UUID tenantId, CreateBulkExportRequest request) {
        ExportOrder order = rules.order(request);
        return keyPrefix(tenantId, order)
                .chain(() -> database.inWorkspace(tenantId,
                        connection -> exports.requireSession(connection, tenantId, order.sessionId())))
                .map(sessionName -> new CheckedOrder(order, sessionName));
    }

    private Uni<String> keyPrefix(UUID tenantId, ExportOrder order) {
        return destinations.open(tenantId, order.destinationId())
                .invoke(OpenDestination::close)
                .map(OpenDestination::keyPrefix)
                .onFailure(StorageException.class).transform(OrderService::unusable)
                .onFailure(SecretUnavailableException.class)
                .transform(e -> ProblemException.conflict(DestinationOpener.CREDENTIALS_UNAVAILABLE));
    }

    private Uni<BulkExport> create(SqlConnection connection, UUID tenantId, String keyPrefix, ExportOrder order) {
        return exports.requireRoom(connection, tenantId)
                .chain(() -> exports.requireSession(connection, tenantId, order.sessionId()))
                .chain(() -> destinations.requireForUse(connection, tenantId, order.destinationId()))
                .chain(() -> maker.ordered(connection, tenantId, keyPrefix, order))
                .call(id -> maker.mark(connection, id))
                .chain(id -> exports.require(connection, tenantId, id));
    }

    private static ProblemException unusable(Throwable storage) {
        return ProblemException.conflict("The destination cannot be used as it is: " + storage.getMessage());
    }
}
