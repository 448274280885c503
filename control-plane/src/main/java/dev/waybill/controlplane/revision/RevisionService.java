package dev.waybill.controlplane.revision;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;

import dev.waybill.common.api.deployment.RevisionResponse;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.Slice;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Makes, ends and reads revisions. What moves one forward is the rollout. */
@Singleton
public class RevisionService {

    private static final String OVERTAKEN = "A newer revision overtook it.";

    private final Database database;
    private final RevisionRepository repository;
    private final RevisionWaiters waiters;
    private final EnvironmentEncryptor safe;
    private final Ids ids;
    private final Event<Object> events;

    RevisionService(Database database, RevisionRepository repository, RevisionWaiters waiters, EnvironmentEncryptor safe, Ids ids,
            Event<Object> events) {
        this.database = database;
        this.repository = repository;
        this.waiters = waiters;
        this.safe = safe;
        this.ids = ids;
        this.events = events;
    }

    /**
     * Makes a revision in the transaction of whoever holds the deployment's row, overtaking what is under way. After the commit
     * {@link #tell} is due.
     */
    public Uni<Revision> create(SqlConnection connection, NewRevision revision) {
        UUID id = ids.newId();
        byte[] sealed = safe.seal(revision.secrets(), revision.tenantId(), id);
        return repository
                .endUnderWay(connection, revision.tenantId(), revision.deploymentId(), RevisionStatus.SKIPPED, OVERTAKEN)
                .chain(overtook -> repository.takeNumber(connection, revision, id, overtook))
                .chain(number -> repository.insert(connection, revision, id, number, sealed == null ? new byte[0] : sealed));
    }

    /**
     * Ends what is under way and takes the deployment from whoever works on it, in the transaction of whoever holds its row.
     * After the commit {@link #tell} is due.
     */
    public Uni<Void> interrupt(SqlConnection connection, UUID tenantId, UUID deploymentId, String why) {
        return repository.endUnderWay(connection, tenantId, deploymentId, RevisionStatus.INTERRUPTED, why)
                .chain(() -> repository.stopWork(connection, tenantId, deploymentId));
    }

    /** Tells those who wait, and those who work, that something was asked of the deployment. */
    public void tell(UUID deploymentId) {
        events.fire(new RevisionChanged(deploymentId));
        events.fire(new RolloutRequested(deploymentId));
    }

    /** The revision; 404 when the deployment has none such. */
    public Uni<Revision> require(SqlConnection connection, UUID tenantId, UUID deploymentId, UUID id) {
        return repository.require(connection, tenantId, deploymentId, id);
    }

    /** As it is now. */
    public Uni<Revision> get(UUID tenantId, UUID deploymentId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.require(connection, tenantId, deploymentId, id));
    }

    /**
     * As it is when it is {@code enough}, at the latest after {@code wait}. No connection is held meanwhile.
     */
    public Uni<Revision> get(UUID tenantId, UUID deploymentId, UUID id, Duration wait, Predicate<Revision> enough) {
        return waiters.until(deploymentId, wait, () -> get(tenantId, deploymentId, id), enough);
    }

    /** The deployment's, newest first. */
    public Uni<Slice<RevisionResponse>> list(UUID tenantId, UUID deploymentId, List<RevisionStatus> statuses, Page page) {
        return database
                .inWorkspace(tenantId, connection -> repository.list(connection, tenantId, deploymentId, statuses, page))
                .map(found -> Slice.of(found.items(), Revision::toResponse, found.total()));
    }
}
