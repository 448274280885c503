package dev.waybill.experiment.session;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.run.TraceTransaction;
import dev.waybill.experiment.run.TraceTransaction.Lock;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Deletes a dataset. One transaction hides it and its experiments, so that nothing can be added to them; then its examples
 * are deleted in batches. The experiments' runs are deleted in the background; timers finish what a crash interrupts.
 */
@Singleton
class DatasetRemovalService {

    private static final Logger LOG = Logger.getLogger(DatasetRemovalService.class);

    private static final int BATCH_SIZE = 2_000;

    private static final String HIDE = """
            UPDATE trace.datasets SET removed_at = now() WHERE tenant_id = $1 AND id = $2 AND removed_at IS NULL
            """;
    private static final String DELETE_EXAMPLES = """
            DELETE FROM trace.examples WHERE tenant_id = $1 AND id = ANY (ARRAY(
                SELECT id FROM trace.examples WHERE tenant_id = $1 AND dataset_id = $2 LIMIT $3))
            """;
    private static final String DELETE_ROW = """
            DELETE FROM trace.datasets WHERE tenant_id = $1 AND id = $2 AND removed_at IS NOT NULL
            """;
    // Removals of the last minute are probably still in progress.
    private static final String FIND_INTERRUPTED = """
            SELECT tenant_id, id FROM trace.datasets WHERE removed_at < now() - interval '1 minute'
            ORDER BY removed_at LIMIT 100
            """;

    private final Database database;
    private final SessionRemovalService sessions;
    private final TraceTransaction transactions;
    private final ChangeRecorder changes;

    DatasetRemovalService(Database database, SessionRemovalService sessions, TraceTransaction transactions,
            ChangeRecorder changes) {
        this.database = database;
        this.transactions = transactions;
        this.sessions = sessions;
        this.changes = changes;
    }

    /** Deletes the dataset, its examples and its experiments; 404 if it does not exist. */
    Uni<Void> remove(UUID tenantId, UUID id) {
        return hide(tenantId, id)
                .invoke(() -> changes.ofDataset(tenantId, id))
                .chain(() -> finish(tenantId, id))
                .invoke(() -> LOG.infof("a dataset and its experiments were deleted %s=%s dataset_id=%s", LogKeys.TENANT_ID,
                        tenantId, id));
    }

    /** Finishes interrupted removals; those of experiments have their own schedule. */
    @Scheduled(every = "1m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> finishInterrupted() {
        return database.everyWorkspace(DatasetRemovalService::findInterrupted)
                .onItem().transformToMulti(found -> Multi.createFrom().iterable(found))
                .onItem().transformToUniAndConcatenate(interrupted -> finish(interrupted.tenantId(), interrupted.datasetId()))
                .onItem().ignoreAsUni();
    }

    // Locks in the order of uploads, the workspace before the dataset, to avoid deadlocks.
    private Uni<Void> hide(UUID tenantId, UUID id) {
        return transactions.run(tenantId, Lock.EXCLUSIVE, connection -> hide(connection, tenantId, id)
                .chain(() -> sessions.removeAllOf(connection, tenantId, id)));
    }

    private Uni<Void> finish(UUID tenantId, UUID id) {
        return Multi.createBy().repeating()
                .uni(() -> database.inWorkspace(tenantId,
                        connection -> deleteExamples(connection, tenantId, id)))
                .whilst(more -> more)
                .onItem().ignoreAsUni()
                .chain(() -> database.inWorkspace(tenantId, connection -> deleteRow(connection, tenantId, id)));
    }

    // Hides the dataset; 404 if it does not exist.
    private static Uni<Void> hide(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(HIDE)
                .execute(Tuple.of(tenantId, id))
                .invoke(result -> {
                    if (result.rowCount() == 0) {
                        throw ProblemException.notFound("dataset", id);
                    }
                })
                .replaceWithVoid();
    }

    // Deletes a batch of examples; returns whether there may be more.
    private static Uni<Boolean> deleteExamples(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(DELETE_EXAMPLES)
                .execute(Tuple.of(tenantId, id, BATCH_SIZE))
                .map(result -> result.rowCount() > 0);
    }

    // Deletes the dataset's row, after everything else.
    private static Uni<Void> deleteRow(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(DELETE_ROW)
                .execute(Tuple.of(tenantId, id))
                .replaceWithVoid();
    }

    // Returns removals that were started more than a minute ago.
    private static Uni<List<InterruptedRemoval>> findInterrupted(SqlConnection connection) {
        return connection.query(FIND_INTERRUPTED)
                .execute()
                .map(rows -> Rows.list(rows, row -> new InterruptedRemoval(row.getUUID(0), row.getUUID(1))));
    }

    /** A dataset whose removal is not finished. */
    private record InterruptedRemoval(UUID tenantId, UUID datasetId) {
    }
}
