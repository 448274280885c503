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
import dev.waybill.export.run.WorkAvailable;
import dev.waybill.export.storage.StorageException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Creates exports (contract.md "Bulk export"). */
@Singleton
public class CreateExportService {

    private final Database database;
    private final ExportRules rules;
    private final DestinationOpener destinations;
    private final BulkExportRepository exports;
    private final ExportCreator creator;
    private final Event<WorkAvailable> workDue;

    CreateExportService(Database database, ExportRules rules, DestinationOpener destinations, BulkExportRepository exports,
            ExportCreator creator, Event<WorkAvailable> workDue) {
        this.database = database;
        this.rules = rules;
        this.destinations = destinations;
        this.exports = exports;
        this.creator = creator;
        this.workDue = workDue;
    }

    /** Creates an export and its runs, or a scheduled export, in one transaction. */
    Uni<BulkExportResponse> create(UUID tenantId, CreateBulkExportRequest request) {
        ExportSpec spec = rules.spec(request);
        return keyPrefix(tenantId, spec)
                .chain(keyPrefix -> database.inWorkspace(tenantId,
                        connection -> create(connection, tenantId, keyPrefix, spec)))
                .map(BulkExport::toResponse)
                .invoke(() -> workDue.fire(new WorkAvailable()));
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
                .onFailure(StorageException.class).transform(CreateExportService::unusable)
                .onFailure(SecretUnavailableException.class)
                .transform(e -> ProblemException.conflict(DestinationOpener.CREDENTIALS_UNAVAILABLE));
    }

    private Uni<BulkExport> create(SqlConnection connection, UUID tenantId, String keyPrefix, ExportSpec spec) {
        return exports.requireExportCapacity(connection, tenantId)
                .chain(() -> exports.requireSession(connection, tenantId, spec.sessionId()))
                .chain(() -> destinations.requireForUse(connection, tenantId, spec.destinationId()))
                .chain(() -> creator.create(connection, tenantId, keyPrefix, spec))
                .call(id -> creator.recordCreation(connection, id))
                .chain(id -> exports.require(connection, tenantId, id));
    }

    private static ProblemException unusable(Throwable storage) {
        return ProblemException.conflict("The destination cannot be used: " + storage.getMessage());
    }
}
