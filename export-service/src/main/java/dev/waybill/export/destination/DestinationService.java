package dev.waybill.export.destination;

import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.api.export.CreateDestinationRequest;
import dev.waybill.common.api.export.DestinationResponse;
import dev.waybill.common.api.export.DestinationTestResponse;
import dev.waybill.common.api.export.UpdateDestinationRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.export.destination.DestinationRepository.NewDestination;
import io.smallrye.mutiny.Uni;

/** Creates, tests, updates and deletes destinations. Validation calls the bucket and never runs within a transaction. */
@Singleton
class DestinationService {

    private static final Logger LOG = Logger.getLogger(DestinationService.class);

    private final Database database;
    private final DestinationRepository repository;
    private final CredentialValidator validator;
    private final DestinationUsage usage;
    private final Ids ids;

    DestinationService(Database database, DestinationRepository repository, CredentialValidator validator,
            DestinationUsage usage,
            Ids ids) {
        this.database = database;
        this.repository = repository;
        this.validator = validator;
        this.usage = usage;
        this.ids = ids;
    }

    /** Validates the bucket by writing to it, then stores the destination. */
    Uni<DestinationResponse> create(UUID tenantId, CreateDestinationRequest request) {
        UUID id = ids.newId();
        Bucket bucket = Bucket.from(request.destinationType(), request.config());
        return validator.validate(tenantId, id, bucket, request.credentials())
                .map(credentials -> new NewDestination(request.displayName(), bucket, credentials))
                .chain(accepted -> database.inWorkspace(tenantId, sql -> repository.insert(sql, tenantId, id, accepted)))
                .invoke(created -> log("a destination was created", created))
                .map(Destination::toResponse);
    }

    Uni<DestinationResponse> get(UUID tenantId, UUID id) {
        return require(tenantId, id)
                .map(Destination::toResponse);
    }

    Uni<Page<DestinationResponse>> list(UUID tenantId, PageParameters page) {
        return database.inWorkspace(tenantId, sql -> repository.list(sql, tenantId, page))
                .map(found -> Page.of(found.items(), Destination::toResponse, found.total()));
    }

    /** Validates and replaces the credentials; exports in progress continue with the old ones. Resumes paused schedules. */
    Uni<DestinationResponse> update(UUID tenantId, UUID id, UpdateDestinationRequest request) {
        return require(tenantId, id)
                .chain(known -> validator.validate(tenantId, id, known.bucket(), request.credentials()))
                .chain(accepted -> database.inWorkspace(tenantId,
                        sql -> usage.onValidated(sql, tenantId, id)
                                .chain(() -> repository.updateCredentials(sql, tenantId, id, accepted))))
                .invoke(updated -> log("a destination has new credentials", updated))
                .map(Destination::toResponse);
    }

    /** Validates the stored credentials and stores the permissions found. Resumes paused schedules. */
    Uni<DestinationTestResponse> test(UUID tenantId, UUID id) {
        return require(tenantId, id)
                .chain(known -> validator.revalidate(known)
                        .call(validated -> database.inWorkspace(tenantId, sql -> usage.onValidated(sql, tenantId, id)
                                .chain(() -> repository.refresh(sql, known, validated)))))
                .map(validated -> validated.result().toResponse(id));
    }

    /** Deletes the destination; fails with 409 while an unfinished export uses it. */
    Uni<Void> delete(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, sql -> repository.requireForUpdate(sql, tenantId, id)
                .call(destination -> usage.isUsedByUnfinishedExport(sql, tenantId, id)
                        .invoke(used -> requireUnused(used, id)))
                .call(() -> repository.delete(sql, tenantId, id)))
                .invoke(deleted -> log("a destination was deleted", deleted))
                .replaceWithVoid();
    }

    private Uni<Destination> require(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, sql -> repository.require(sql, tenantId, id));
    }

    private static void requireUnused(boolean used, UUID id) {
        if (used) {
            throw ProblemException.conflict("The destination " + id
                    + " is used by an unfinished export; cancel the export or wait until it has ended.");
        }
    }

    private static void log(String sentence, Destination destination) {
        LOG.infof("%s %s=%s %s=%s", sentence, LogKeys.TENANT_ID, destination.tenantId(), LogKeys.DESTINATION_ID,
                destination.id());
    }
}
