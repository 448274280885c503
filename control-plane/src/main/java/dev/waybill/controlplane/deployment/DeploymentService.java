package dev.waybill.controlplane.deployment;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.deployment.CreateDeploymentRequest;
import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.UpdateDeploymentRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.page.Slice;
import dev.waybill.controlplane.revision.RevisionService;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Creates, reads, updates and deletes deployments (contract.md "Deployment management"). Never waits for an engine. */
@Singleton
public class DeploymentService {

    private static final String DELETED = "The deployment was deleted.";
    // Placeholders that are no commit ids: no lookup was needed, and the lookup failed.
    private static final String NO_LOOKUP = "";
    private static final String UNRESOLVED = "unknown";

    private final Database database;
    private final DeploymentRepository repository;
    private final DeploymentCreator creator;
    private final RevisionCreator revisionCreator;
    private final RevisionService revisions;
    private final RefLookup refs;

    DeploymentService(Database database, DeploymentRepository repository, DeploymentCreator creator,
            RevisionCreator revisionCreator,
            RevisionService revisions, RefLookup refs) {
        this.database = database;
        this.repository = repository;
        this.creator = creator;
        this.revisionCreator = revisionCreator;
        this.revisions = revisions;
        this.refs = refs;
    }

    /** Creates a deployment and its first revision. */
    Uni<DeploymentResponse> create(UUID tenantId, CreateDeploymentRequest request) {
        return database.inWorkspace(tenantId, connection -> creator.create(connection, tenantId, request))
                .invoke(created -> revisions.publishChange(created.id()))
                .map(Deployment::toResponse);
    }

    Uni<DeploymentResponse> get(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.require(connection, tenantId, id))
                .map(Deployment::toResponse);
    }

    Uni<Slice<DeploymentResponse>> list(UUID tenantId, DeploymentFilter filter) {
        return database.inWorkspace(tenantId, connection -> repository.list(connection, tenantId, filter))
                .map(found -> Slice.of(found.items(), Deployment::toResponse, found.total()));
    }

    /**
     * Updates a deployment; creates a revision if the build or run configuration changes or its ref names another
     * commit.
     */
    Uni<DeploymentResponse> update(UUID tenantId, UUID id, UpdateDeploymentRequest request) {
        return request.revisionSourceOrEmpty().repoRef() == null ? update(tenantId, id, request, NO_LOOKUP)
                : database.inWorkspace(tenantId, connection -> repository.require(connection, tenantId, id))
                        .chain(current -> revisionCreator.changes(current, request) ? Uni.createFrom().item(NO_LOOKUP)
                                : refs.commit(current).map(commit -> commit.orElse(UNRESOLVED)))
                        .chain(commit -> update(tenantId, id, request, commit));
    }

    /** @param commit the commit that the ref currently names, or a placeholder */
    private Uni<DeploymentResponse> update(UUID tenantId, UUID id, UpdateDeploymentRequest request, String commit) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, id)
                .chain(before -> hasMoved(connection, before, commit)
                        .chain(moved -> revisionCreator.change(connection, before, request, moved))
                        .chain(() -> rename(connection, tenantId, id, request))
                        .chain(() -> repository.require(connection, tenantId, id))
                        .map(after -> new UpdateResult(before, after))))
                .invoke(this::publishChange)
                .map(changed -> changed.after().toResponse());
    }

    private Uni<Boolean> hasMoved(SqlConnection connection, Deployment current, String commit) {
        UUID latest = current.latestRevisionId();
        return latest == null || commit.equals(NO_LOOKUP) ? Uni.createFrom().item(false)
                : revisions.require(connection, current.tenantId(), current.id(), latest)
                        .map(revision -> !commit.equals(revision.revisionSource().repoCommitSha()));
    }

    /**
     * Interrupts revisions in progress and marks the deployment for removal; its row is deleted after everything has
     * stopped. Idempotent.
     */
    Uni<Void> delete(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, id)
                .call(before -> before.deleted() ? Uni.createFrom().voidItem()
                        : repository.markDeleted(connection, before)
                                .chain(() -> revisionCreator.cancelAll(connection, before, DELETED))))
                .invoke(before -> publishChange(before.deleted() ? List.of() : List.of(id)))
                .replaceWithVoid();
    }

    /** Creates a revision of each deployment of the integration that is built on push from the pushed branch. */
    public Uni<List<UUID>> pushed(SqlConnection connection, UUID tenantId, UUID integrationId, PushedRef pushed) {
        return repository.findBuildOnPush(connection, tenantId, integrationId)
                .map(found -> found.stream().filter(pushed::matches).map(Deployment::id).toList())
                .call(matching -> revisionCreator.rebuild(connection, tenantId, matching));
    }

    /** Publishes the changes of {@link #pushed}; to be called after its transaction is committed. */
    public void publishChange(List<UUID> built) {
        built.forEach(revisions::publishChange);
    }

    // An unnecessary event would cancel the current step, whose lease then has to expire before work continues.
    private void publishChange(UpdateResult changed) {
        if (changed.hasNewRevision()) {
            revisions.publishChange(changed.after().id());
        }
    }

    private Uni<Void> rename(SqlConnection connection, UUID tenantId, UUID id, UpdateDeploymentRequest request) {
        String displayName = request.displayName();
        return displayName == null ? Uni.createFrom().voidItem() : repository.rename(connection, tenantId, id, displayName);
    }

    private record UpdateResult(Deployment before, Deployment after) {

        boolean hasNewRevision() {
            return after.latestRevisionId() != null && !after.latestRevisionId().equals(before.latestRevisionId());
        }
    }
}
