package dev.waybill.export.verification;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;

import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;

import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.api.export.VerificationResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.CreatedResourceRecorder;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Creates and reads verifications. */
@Singleton
class VerificationService {

    /** A workspace performs one at a time, so further ones would only wait. */
    private static final int MAX_UNFINISHED = 20;
    private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

    private final Database database;
    private final VerificationRepository verifications;
    private final Ids ids;
    private final CreatedResourceRecorder idempotency;
    private final Event<VerificationCreated> created;
    private final ChangeRecorder changes;

    VerificationService(Database database, VerificationRepository verifications, Ids ids, CreatedResourceRecorder idempotency,
            Event<VerificationCreated> created, ChangeRecorder changes) {
        this.database = database;
        this.verifications = verifications;
        this.ids = ids;
        this.idempotency = idempotency;
        this.created = created;
        this.changes = changes;
    }

    /** Creates a verification of a completed export, or returns its unfinished one. */
    Uni<VerificationResponse> create(UUID tenantId, UUID exportId) {
        return database.inWorkspace(tenantId, connection -> verifications.lockExport(connection, tenantId, exportId)
                .invoke(VerificationService::requireCompleted)
                .chain(() -> verifications.findUnfinished(connection, tenantId, exportId))
                .chain(unfinished -> unfinished
                        .map(verification -> Uni.createFrom().item(verification))
                        .orElseGet(() -> create(connection, tenantId, exportId)))
                .call(verification -> idempotency.recordCreated(verification.id(), connection)))
                .invoke(() -> {
                    changes.ofExport(tenantId, exportId);
                    created.fire(new VerificationCreated());
                });
    }

    private Uni<VerificationResponse> create(SqlConnection connection, UUID tenantId, UUID exportId) {
        UUID id = ids.newId();
        return requireCapacity(connection, tenantId)
                .chain(() -> verifications.insert(connection, tenantId, exportId, id))
                .chain(() -> verifications.require(connection, tenantId, exportId, id));
    }

    Uni<VerificationResponse> get(UUID tenantId, UUID exportId, UUID id) {
        return database.inWorkspace(tenantId, connection -> verifications.requireExport(connection, tenantId, exportId)
                .chain(() -> verifications.require(connection, tenantId, exportId, id)));
    }

    Uni<Page<VerificationResponse>> list(UUID tenantId, UUID exportId, PageParameters page) {
        return database.inWorkspace(tenantId, connection -> verifications.requireExport(connection, tenantId, exportId)
                .chain(() -> verifications.list(connection, tenantId, exportId, page))
                .chain(found -> verifications.count(connection, tenantId, exportId)
                        .map(total -> Page.of(found, Function.identity(), total))));
    }

    private Uni<Void> requireCapacity(SqlConnection connection, UUID tenantId) {
        return verifications.countUnfinished(connection, tenantId)
                .chain(unfinished -> unfinished < MAX_UNFINISHED
                        ? Uni.createFrom().voidItem()
                        : Uni.createFrom().failure(new ProblemException(CommonProblem.TOO_MANY_REQUESTS, "This workspace has "
                                + unfinished + " unfinished verifications, which is the maximum; wait until some have ended.")
                                .retryAfter(RETRY_AFTER)));
    }

    private static void requireCompleted(BulkExportStatus status) {
        if (status == BulkExportStatus.INTERVAL_SCHEDULED) {
            throw ProblemException.conflict("A scheduled export has no files of its own; verify the exports that it created.");
        }
        if (status != BulkExportStatus.COMPLETED) {
            throw ProblemException.conflict("The export is " + status + "; only a completed export can be verified.");
        }
    }

    /** Event fired after a verification was created; this replica polls immediately. */
    record VerificationCreated() {
    }
}
