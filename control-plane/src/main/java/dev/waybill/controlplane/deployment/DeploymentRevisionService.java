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

/** What can be asked of a deployment's revisions: another one, an earlier one again, an end. */
@Singleton
class DeploymentRevisionService {

    private static final String INTERRUPTED = "It was interrupted.";

    private final Database database;
    private final DeploymentRepository repository;
    private final RevisionCreator maker;
    private final RevisionService revisions;
    private final IdempotentCreation mark;

    DeploymentRevisionService(Database database, DeploymentRepository repository, RevisionCreator maker,
            RevisionService revisions, IdempotentCreation mark) {
        this.database = database;
        this.repository = repository;
        this.maker = maker;
        this.revisions = revisions;
        this.mark = mark;
    }

    /** Always makes one, with the changes that are asked for. */
    Uni<RevisionResponse> create(UUID tenantId, UUID deploymentId, UpdateDeploymentRequest request) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, deploymentId)
                .chain(present -> maker.change(connection, present, request, true))
                .call(id -> mark.recordCreated(id, connection))
                .chain(id -> revisions.require(connection, tenantId, deploymentId, id)))
                .invoke(made -> revisions.tell(deploymentId))
                .map(Revision::toResponse);
    }

    /** A new revision of that one's source. */
    Uni<DeploymentResponse> redeploy(UUID tenantId, UUID deploymentId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, deploymentId)
                .chain(present -> revisions.require(connection, tenantId, deploymentId, id)
                        .chain(earlier -> maker.repeat(connection, present, earlier)))
                .call(made -> mark.recordCreated(made.id(), connection))
                .chain(() -> repository.require(connection, tenantId, deploymentId)))
                .invoke(made -> revisions.tell(deploymentId))
                .map(Deployment::toResponse);
    }

    /** Ends it, if it is under way; else 409. */
    Uni<RevisionResponse> interrupt(UUID tenantId, UUID deploymentId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, deploymentId)
                .chain(() -> revisions.require(connection, tenantId, deploymentId, id))
                .invoke(DeploymentRevisionService::requireUnderWay)
                .chain(() -> revisions.interrupt(connection, tenantId, deploymentId, INTERRUPTED))
                .chain(() -> revisions.require(connection, tenantId, deploymentId, id)))
                .invoke(ended -> revisions.tell(deploymentId))
                .map(Revision::toResponse);
    }

    private static void requireUnderWay(Revision revision) {
        if (!revision.status().isInProgress()) {
            throw ProblemException.conflict("The revision " + revision.id() + " is " + revision.status()
                    + "; only one that is on its way can be interrupted.");
        }
    }
}
