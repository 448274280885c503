package dev.waybill.experiment.intake;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.experiment.partition.RunPartitions;
import dev.waybill.experiment.run.EarlyPatchException;
import dev.waybill.experiment.run.LockMode;
import dev.waybill.experiment.run.RunFields;
import dev.waybill.experiment.run.TraceWriter;
import dev.waybill.experiment.session.SessionService;
import dev.waybill.experiment.session.WorkspaceLock;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;

/** Stores a batch in one transaction. */
@Singleton
class BatchStore {

    private static final Logger LOG = Logger.getLogger(BatchStore.class);
    private static final String DEFAULT_SESSION = "default";
    private static final Set<String> RETRYABLE_SQL_STATES = Set.of("40001", "40P01");
    private static final int MAX_RETRIES = 3;

    private final Database database;
    private final RunPartitions partitions;
    private final WorkspaceLock workspaceLock;
    private final SessionService sessions;
    private final TraceWriter writer;
    private final AttachmentFeedbackWriter attachmentsAndFeedback;

    BatchStore(Database database, RunPartitions partitions, WorkspaceLock workspaceLock, SessionService sessions,
            TraceWriter writer,
            AttachmentFeedbackWriter attachmentsAndFeedback) {
        this.database = database;
        this.partitions = partitions;
        this.workspaceLock = workspaceLock;
        this.sessions = sessions;
        this.writer = writer;
        this.attachmentsAndFeedback = attachmentsAndFeedback;
    }

    /** Completes when the batch is committed. */
    Uni<Void> store(UUID tenantId, Batch batch) {
        return store(tenantId, batch, connection -> Uni.createFrom().voidItem());
    }

    /**
     * Stores the batch as {@link #store(UUID, Batch)}, running {@code hook} in the transaction before the runs are inserted.
     */
    Uni<Void> store(UUID tenantId, Batch batch, PreInsertHook hook) {
        return storeWithRetry(tenantId, batch, hook, LockMode.SHARED)
                .onFailure(EarlyPatchException.class)
                .recoverWithUni(() -> storeWithRetry(tenantId, batch, hook, LockMode.EXCLUSIVE))
                .invoke(() -> LOG.debugf("runs were stored %s=%s posts=%d patches=%d", LogKeys.TENANT_ID, tenantId,
                        batch.runs().posts().size(), batch.runs().patches().size()));
    }

    // Batches lock runs in one order, but concurrent statements of other kinds can still deadlock with them; the
    // transaction is retried.
    private Uni<Void> storeWithRetry(UUID tenantId, Batch batch, PreInsertHook hook, LockMode lockMode) {
        return partitions
                .withPartitions(database.inWorkspace(tenantId,
                        connection -> write(connection, tenantId, batch, hook, lockMode)))
                .onFailure(BatchStore::isRetryable).retry()
                .withBackOff(Duration.ofMillis(20), Duration.ofMillis(500))
                .atMost(MAX_RETRIES);
    }

    private Uni<Void> write(SqlConnection connection, UUID tenantId, Batch batch, PreInsertHook hook,
            LockMode lockMode) {
        Uni<Void> locked = lockMode == LockMode.EXCLUSIVE
                ? workspaceLock.acquireExclusive(connection, tenantId)
                : workspaceLock.acquireShared(connection, tenantId);
        return locked
                .chain(() -> assignSessions(connection, tenantId, batch.runs().posts()))
                .chain(() -> hook.run(connection))
                .chain(() -> writer.insert(connection, tenantId, batch.runs().posts()))
                .chain(() -> writer.patch(connection, tenantId, batch.runs(), lockMode))
                .chain(() -> attachmentsAndFeedback.write(connection, tenantId, batch));
    }

    private Uni<Void> assignSessions(SqlConnection connection, UUID tenantId, List<RunFields> runs) {
        Set<UUID> ids = runs.stream()
                .map(RunFields::sessionId)
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
        Set<String> names = runs.stream()
                .filter(run -> run.sessionId().isEmpty())
                .map(BatchStore::sessionName)
                .collect(Collectors.toSet());
        return sessions.require(connection, tenantId, ids)
                .chain(() -> sessions.findOrCreate(connection, tenantId, names))
                .invoke(sessionIds -> assignSessions(runs, sessionIds))
                .replaceWithVoid();
    }

    private static void assignSessions(List<RunFields> runs, Map<String, UUID> sessionIds) {
        for (RunFields run : runs) {
            if (run.sessionId().isEmpty()) {
                UUID session = sessionIds.get(sessionName(run));
                if (session == null) {
                    throw new IllegalStateException("a session that was just created is missing");
                }
                run.assignSession(session);
            }
        }
    }

    private static String sessionName(RunFields run) {
        return run.sessionName().orElse(DEFAULT_SESSION);
    }

    private static boolean isRetryable(Throwable failure) {
        return failure instanceof PgException error && RETRYABLE_SQL_STATES.contains(error.getSqlState());
    }
}
