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

/** What can be done with deployments (contract.md "Deployment management"). Nothing here waits for an engine. */
@Singleton
public class DeploymentService {

    private static final String DELETED = "The deployment was deleted.";
    // What no commit is called: nobody asked which one, and it could not be found out.
    private static final String NOT_ASKED = "";
    private static final String UNKNOWN = "unknown";

    private final Database database;
    private final DeploymentRepository repository;
    private final DeploymentCreator maker;
    private final RevisionCreator revisionMaker;
    private final RevisionService revisions;
    private final RefLookup refs;

    DeploymentService(Database database, DeploymentRepository repository, DeploymentCreator maker, RevisionCreator revisionMaker,
            RevisionService revisions, RefLookup refs) {
        this.database = database;
        this.repository = repository;
        this.maker = maker;
        this.revisionMaker = revisionMaker;
        this.revisions = revisions;
        this.refs = refs;
    }

    /** Makes it and its first revision. */
    Uni<DeploymentResponse> create(UUID tenantId, CreateDeploymentRequest request) {
        return database.inWorkspace(tenantId, connection -> maker.create(connection, tenantId, request))
                .invoke(created -> revisions.tell(created.id()))
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

    /** Changes it; what changes how it is built or run makes a revision, and so does a reference that has moved. */
    Uni<DeploymentResponse> update(UUID tenantId, UUID id, UpdateDeploymentRequest request) {
        return request.revisionSourceOrEmpty().repoRef() == null ? update(tenantId, id, request, NOT_ASKED)
                : database.inWorkspace(tenantId, connection -> repository.require(connection, tenantId, id))
                        .chain(present -> revisionMaker.isDifferent(present, request) ? Uni.createFrom().item(NOT_ASKED)
                                : refs.commit(present).map(commit -> commit.orElse(UNKNOWN)))
                        .chain(named -> update(tenantId, id, request, named));
    }

    /** @param named the commit that the reference was found to name */
    private Uni<DeploymentResponse> update(UUID tenantId, UUID id, UpdateDeploymentRequest request, String named) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, id)
                .chain(before -> hasMoved(connection, before, named)
                        .chain(moved -> revisionMaker.change(connection, before, request, moved))
                        .chain(() -> rename(connection, tenantId, id, request))
                        .chain(() -> repository.require(connection, tenantId, id))
                        .map(after -> new Changed(before, after))))
                .invoke(this::tell)
                .map(changed -> changed.after().toResponse());
    }

    private Uni<Boolean> hasMoved(SqlConnection connection, Deployment present, String named) {
        UUID latest = present.latestRevisionId();
        return latest == null || named.equals(NOT_ASKED) ? Uni.createFrom().item(false)
                : revisions.require(connection, present.tenantId(), present.id(), latest)
                        .map(revision -> !named.equals(revision.revisionSource().repoCommitSha()));
    }

    /**
     * Ends what is under way and has everything stopped; the row goes when nothing is left. Deleting what is deleted already
     * changes nothing.
     */
    Uni<Void> delete(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, id)
                .call(before -> before.deleted() ? Uni.createFrom().voidItem()
                        : repository.markDeleted(connection, before)
                                .chain(() -> revisionMaker.endAll(connection, before, DELETED))))
                .invoke(before -> tell(before.deleted() ? List.of() : List.of(id)))
                .replaceWithVoid();
    }

    /** Makes a revision of each deployment of the integration that a push may build and that fits. */
    public Uni<List<UUID>> pushed(SqlConnection connection, UUID tenantId, UUID integrationId, PushedRef pushed) {
        return repository.builtOnPush(connection, tenantId, integrationId)
                .map(found -> found.stream().filter(pushed::fits).map(Deployment::id).toList())
                .call(fitting -> revisionMaker.buildAgain(connection, tenantId, fitting));
    }

    /** After the commit of what {@link #pushed} made: tells those who work. */
    public void tell(List<UUID> built) {
        built.forEach(revisions::tell);
    }

    // Work that is not out of date must not be told so: it would end, and its lease with nobody behind it would have to run out.
    private void tell(Changed changed) {
        if (changed.madeRevision()) {
            revisions.tell(changed.after().id());
        }
    }

    private Uni<Void> rename(SqlConnection connection, UUID tenantId, UUID id, UpdateDeploymentRequest request) {
        String displayName = request.displayName();
        return displayName == null ? Uni.createFrom().voidItem() : repository.rename(connection, tenantId, id, displayName);
    }

    private record Changed(Deployment before, Deployment after) {

        boolean madeRevision() {
            return after.latestRevisionId() != null && !after.latestRevisionId().equals(before.latestRevisionId());
        }
    }
}
