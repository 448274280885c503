package dev.waybill.controlplane.deployment;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.deployment.CreateDeploymentRequest;
import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.common.api.deployment.UpdateDeploymentRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.CreatedResourceRecorder;
import dev.waybill.common.page.Page;
import dev.waybill.controlplane.revision.NewRevision;
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
    private final RevisionCreator revisionCreator;
    private final RevisionService revisions;
    private final RefLookup refs;
    private final CreatedResourceRecorder idempotency;
    private final Ids ids;

    DeploymentService(Database database, DeploymentRepository repository, RevisionCreator revisionCreator,
            RevisionService revisions, RefLookup refs, CreatedResourceRecorder idempotency, Ids ids) {
        this.database = database;
        this.repository = repository;
        this.revisionCreator = revisionCreator;
        this.revisions = revisions;
        this.refs = refs;
        this.idempotency = idempotency;
        this.ids = ids;
    }

    /**
     * Creates a deployment with its first revision. Fails with 404 if the integration does not exist, 422 if the repository
     * is not under its base URL, 409 if the name exists, and 403 if the plan's limits are exceeded.
     */
    Uni<DeploymentResponse> create(UUID tenantId, CreateDeploymentRequest request) {
        NewRevision revision = firstRevision(tenantId, ids.newId(), request);
        return database.inWorkspace(tenantId, connection -> revisionCreator
                .createFirst(connection, request.name(), revision)
                .chain(() -> idempotency.recordCreated(revision.deploymentId(), connection))
                .chain(() -> repository.require(connection, tenantId, revision.deploymentId())))
                .invoke(created -> revisions.publishChange(tenantId, created.id()))
                .map(Deployment::toResponse);
    }

    private static NewRevision firstRevision(UUID tenantId, UUID id, CreateDeploymentRequest request) {
        RevisionSource requested = request.sourceRevisionConfig();
        boolean image = request.source() == SourceKind.EXTERNAL_DOCKER;
        String configPath = requested.langgraphConfigPath() == null && !image ? RevisionSource.DEFAULT_CONFIG_PATH
                : requested.langgraphConfigPath();
        return new NewRevision(tenantId, id, request.source(), request.sourceWithIntegration(),
                new RevisionSource(requested.repoRef(), configPath, requested.imageUri(), null),
                DeploymentPatch.values(request.secretsOrNone()));
    }

    Uni<DeploymentResponse> get(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.require(connection, tenantId, id))
                .map(Deployment::toResponse);
    }

    Uni<Page<DeploymentResponse>> list(UUID tenantId, DeploymentFilter filter) {
        return database.inWorkspace(tenantId, connection -> repository.list(connection, tenantId, filter))
                .map(found -> Page.of(found.items(), Deployment::toResponse, found.total()));
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
                .invoke(before -> publishChange(tenantId, before.deleted() ? List.of() : List.of(id)))
                .replaceWithVoid();
    }

    /**
     * Creates a revision of each deployment of the integration that is built on push from the pushed branch.
     *
     * @param addresses all URLs of the repository that its host sent
     * @param ref the full name, for example {@code refs/heads/main}
     */
    public Uni<List<UUID>> rebuildPushed(SqlConnection connection, UUID tenantId, UUID integrationId, List<String> addresses,
            String ref) {
        return repository.findBuildOnPush(connection, tenantId, integrationId)
                .map(found -> found.stream().filter(one -> one.isBuiltFrom(addresses, ref)).map(Deployment::id).toList())
                .call(matching -> revisionCreator.rebuild(connection, tenantId, matching));
    }

    /** Publishes the changes of {@link #rebuildPushed}; to be called after its transaction is committed. */
    public void publishChange(UUID tenantId, List<UUID> built) {
        built.forEach(id -> revisions.publishChange(tenantId, id));
    }

    // An unnecessary event would cancel the current step, whose lease then has to expire before work continues.
    private void publishChange(UpdateResult changed) {
        if (changed.hasNewRevision()) {
            revisions.publishChange(changed.after().tenantId(), changed.after().id());
        } else {
            revisions.publishRename(changed.after().tenantId(), changed.after().id());
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
