package dev.waybill.experiment.session;

import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.problem.ProblemException;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Removes sessions. One transaction, under the exclusive workspace lock, deletes the session's row, so that no run can
 * be added to it and its runs are hidden. {@link #deleteRuns} deletes the runs later in batches.
 */
@Singleton
public class SessionRemovalService {

    private static final Logger LOG = Logger.getLogger(SessionRemovalService.class);

    private static final String REMOVE = """
            WITH removed AS (DELETE FROM trace.sessions WHERE tenant_id = $1 AND id = $2 RETURNING tenant_id, id)
            INSERT INTO trace.session_removals (tenant_id, session_id) SELECT tenant_id, id FROM removed
            ON CONFLICT (tenant_id, session_id) DO UPDATE SET asked_at = now()
            """;

    private static final String REMOVE_EXPERIMENTS = """
            WITH removed AS (DELETE FROM trace.sessions WHERE tenant_id = $1 AND reference_dataset_id = $2
                RETURNING tenant_id, id)
            INSERT INTO trace.session_removals (tenant_id, session_id) SELECT tenant_id, id FROM removed
            ON CONFLICT (tenant_id, session_id) DO UPDATE SET asked_at = now()
            """;

    private final Database database;
    private final WorkspaceLock workspaceLock;
    private final SessionRemovalRepository removals;

    SessionRemovalService(Database database, WorkspaceLock workspaceLock, SessionRemovalRepository removals) {
        this.database = database;
        this.workspaceLock = workspaceLock;
        this.removals = removals;
    }

    /** Removes a session; its runs are deleted later. Responds with 404 if it does not exist. */
    Uni<Void> remove(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> workspaceLock.acquireExclusive(connection, tenantId)
                .chain(() -> removeSession(connection, tenantId, id)))
                .invoke(() -> LOG.infof("a session was removed, its runs are deleted in the background %s=%s session_id=%s",
                        LogKeys.TENANT_ID, tenantId, id));
    }

    /**
     * Removes the experiments of a dataset in the caller's transaction, which must hold the exclusive workspace lock
     * and the lock on the dataset. Their runs are deleted later.
     */
    public Uni<Void> removeAllOf(SqlConnection connection, UUID tenantId, UUID datasetId) {
        return connection.preparedQuery(REMOVE_EXPERIMENTS)
                .execute(Tuple.of(tenantId, datasetId))
                .replaceWithVoid();
    }

    /** Deletes the runs of removed sessions until none remains that no other replica has claimed. */
    @Scheduled(every = "2s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> deleteRuns() {
        return Multi.createBy().repeating()
                .uni(() -> database.everyWorkspace(removals::deleteBatch))
                .whilst(more -> more)
                .onItem().ignoreAsUni();
    }

    private Uni<Void> removeSession(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(REMOVE)
                .execute(Tuple.of(tenantId, id))
                .invoke(result -> {
                    if (result.rowCount() == 0) {
                        throw ProblemException.notFound("session", id);
                    }
                })
                .replaceWithVoid();
    }
}
