package dev.waybill.controlplane.deployment;

import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.RevisionResponse;
import dev.waybill.common.api.deployment.UpdateDeploymentRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.idempotency.IdempotentCreation;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.controlplane.revision.Revision;
import dev.waybill.controlplane.revision.RevisionService;
import io.smallrye.mutiny.Uni;

/** Creates, redeploys and interrupts revisions of a deployment. */
@Singleton
class DeploymentRevisionService {

    private static final String INTERRUPTED = "It was interrupted.";

    private final Database database;
    private final DeploymentRepository repository;
    private final RevisionCreator creator;
    private final RevisionService revisions;
    private final IdempotentCreation idempotency;

    DeploymentRevisionService(Database database, DeploymentRepository repository, RevisionCreator creator,
            RevisionService revisions, IdempotentCreation idempotency) {
        this.database = database;
        this.repository = repository;
        this.creator = creator;
        this.revisions = revisions;
        this.idempotency = idempotency;
    }

    /** Creates a revision with the requested changes, even if nothing changes. */
    Uni<RevisionResponse> create(UUID tenantId, UUID deploymentId, UpdateDeploymentRequest request) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, deploymentId)
                .chain(current -> creator.change(connection, current, request, true))
                .call(id -> idempotency.recordCreated(id, connection))
                .chain(id -> revisions.require(connection, tenantId, deploymentId, id)))
                .invoke(created -> revisions.publishChange(deploymentId))
                .map(Revision::toResponse);
    }

    /** Creates a revision of an earlier revision's source. */
    Uni<DeploymentResponse> redeploy(UUID tenantId, UUID deploymentId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, deploymentId)
                .chain(current -> revisions.require(connection, tenantId, deploymentId, id)
                        .chain(earlier -> creator.redeploy(connection, current, earlier)))
                .call(created -> idempotency.recordCreated(created.id(), connection))
                .chain(() -> repository.require(connection, tenantId, deploymentId)))
                .invoke(created -> revisions.publishChange(deploymentId))
                .map(Deployment::toResponse);
    }

    /** Interrupts a revision; fails with 409 if it is not in progress. */
    Uni<RevisionResponse> interrupt(UUID tenantId, UUID deploymentId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, deploymentId)
                .chain(() -> revisions.require(connection, tenantId, deploymentId, id))
                .invoke(DeploymentRevisionService::requireInProgress)
                .chain(() -> revisions.interrupt(connection, tenantId, deploymentId, INTERRUPTED))
                .chain(() -> revisions.require(connection, tenantId, deploymentId, id)))
                .invoke(ended -> revisions.publishChange(deploymentId))
                .map(Revision::toResponse);
    }

    private static void requireInProgress(Revision revision) {
        if (!revision.status().isInProgress()) {
            throw ProblemException.conflict("The revision " + revision.id() + " is " + revision.status()
                    + "; only a revision in progress can be interrupted.");
        }
    }
}
