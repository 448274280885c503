package dev.waybill.controlplane.revision;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;

import dev.waybill.common.api.deployment.RevisionResponse;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Creates, interrupts and reads revisions; rollouts advance them. */
@Singleton
public class RevisionService {

    private static final String SUPERSEDED = "A newer revision overtook it.";

    private final Database database;
    private final RevisionRepository repository;
    private final RevisionWaiters waiters;
    private final EnvironmentEncryptor encryptor;
    private final Ids ids;
    private final Event<RevisionChanged> changes;

    RevisionService(Database database, RevisionRepository repository, RevisionWaiters waiters, EnvironmentEncryptor encryptor,
            Ids ids, Event<RevisionChanged> changes) {
        this.database = database;
        this.repository = repository;
        this.waiters = waiters;
        this.encryptor = encryptor;
        this.ids = ids;
        this.changes = changes;
    }

    /**
     * Creates a revision and supersedes revisions in progress. The caller holds the lock of the deployment's row and
     * calls {@link #publishChange} after the commit.
     */
    public Uni<Revision> create(SqlConnection connection, NewRevision revision) {
        UUID id = ids.newId();
        byte[] encrypted = encryptor.encrypt(revision.secrets(), revision.tenantId(), id);
        return repository
                .endInProgress(connection, revision.tenantId(), revision.deploymentId(), RevisionStatus.SKIPPED, SUPERSEDED)
                .chain(superseded -> repository.allocateNumber(connection, revision, id, superseded))
                .chain(number -> repository.insert(connection, revision, id, number,
                        encrypted == null ? new byte[0] : encrypted));
    }

    /**
     * Interrupts revisions in progress and revokes the lease of the worker. The caller holds the lock of the
     * deployment's row and calls {@link #publishChange} after the commit.
     */
    public Uni<Void> interrupt(SqlConnection connection, UUID tenantId, UUID deploymentId, String why) {
        return repository.endInProgress(connection, tenantId, deploymentId, RevisionStatus.INTERRUPTED, why)
                .chain(() -> repository.revokeLease(connection, tenantId, deploymentId));
    }

    /** Notifies waiting clients and rollout workers of a change of the deployment. */
    public void publishChange(UUID tenantId, UUID deploymentId) {
        changes.fire(RevisionChanged.afterRequest(tenantId, deploymentId));
    }

    /** Notifies subscribers of a change of the deployment that concerns no revision. */
    public void publishRename(UUID tenantId, UUID deploymentId) {
        changes.fire(RevisionChanged.afterRename(tenantId, deploymentId));
    }

    /** Returns the revision; fails with 404 if the deployment does not have it. */
    public Uni<Revision> require(SqlConnection connection, UUID tenantId, UUID deploymentId, UUID id) {
        return repository.require(connection, tenantId, deploymentId, id);
    }

    /** Returns the current revision. */
    public Uni<Revision> get(UUID tenantId, UUID deploymentId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.require(connection, tenantId, deploymentId, id));
    }

    /**
     * Returns the revision as soon as it matches {@code condition}, at the latest after {@code wait}. Holds no database
     * connection while waiting.
     */
    public Uni<Revision> get(UUID tenantId, UUID deploymentId, UUID id, Duration wait, Predicate<Revision> condition) {
        return waiters.tryUntilMatches(deploymentId, wait, () -> get(tenantId, deploymentId, id), condition);
    }

    /** Lists the deployment's revisions, newest first. */
    public Uni<Page<RevisionResponse>> list(UUID tenantId, UUID deploymentId, List<RevisionStatus> statuses,
            PageParameters page) {
        return database
                .inWorkspace(tenantId, connection -> repository.list(connection, tenantId, deploymentId, statuses, page))
                .map(found -> Page.of(found.items(), Revision::toResponse, found.total()));
    }

    /**
     * Notifies the waiters of this replica of changes by other replicas: one query for all waiters, none without waiters.
     */
    @Scheduled(identity = "revision-watch", every = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> pollWaiters() {
        Map<UUID, UUID> awaited = waiters.revisions();
        return awaited.isEmpty() ? Uni.createFrom().voidItem()
                : database.everyWorkspace(connection -> repository.versions(connection, awaited))
                        .invoke(waiters::onVersions)
                        .replaceWithVoid();
    }
}
