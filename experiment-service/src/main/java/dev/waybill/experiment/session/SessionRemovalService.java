package dev.waybill.experiment.session;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.common.event.ChangeType;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.run.TraceTransaction;
import dev.waybill.experiment.run.TraceTransaction.Lock;
import dev.waybill.experiment.summary.RunSummaryService;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
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

    private static final int BATCH_SIZE = 1_000;

    // Locks the session until the transaction ends; other replicas claim other sessions.
    private static final String CLAIM = """
            SELECT tenant_id, session_id FROM trace.session_removals ORDER BY asked_at LIMIT 1 FOR UPDATE SKIP LOCKED
            """;

    private static final String FIND = """
            SELECT id, start_time FROM trace.runs WHERE tenant_id = $1 AND session_id = $2 ORDER BY start_time, id LIMIT $3
            """;

    // Excludes run ids that clients have since reused in another session, with their feedback and attachments.
    private static final String LOCK = """
            SELECT id FROM trace.run_places WHERE tenant_id = $1 AND id = ANY($3) AND session_id = $2 ORDER BY id FOR UPDATE
            """;

    private static final List<String> DELETE_BY_ID = List.of(
            "DELETE FROM trace.attachments WHERE tenant_id = $1 AND run_id = ANY($2)",
            "DELETE FROM trace.feedback WHERE tenant_id = $1 AND run_id = ANY($2)",
            "DELETE FROM trace.run_places WHERE tenant_id = $1 AND id = ANY($2)");

    private static final String DELETE_RUNS = """
            DELETE FROM trace.runs r USING unnest($3::uuid[], $4::timestamptz[]) AS old (id, start_time)
            WHERE r.tenant_id = $1 AND r.session_id = $2 AND r.start_time BETWEEN $5 AND $6
                AND r.start_time = old.start_time AND r.id = old.id
            """;

    private static final String DELETE_FEEDBACK = "DELETE FROM trace.feedback WHERE tenant_id = $1 AND session_id = $2";

    private static final String FINISH = "DELETE FROM trace.session_removals WHERE tenant_id = $1 AND session_id = $2";

    private final Database database;
    private final TraceTransaction transactions;
    private final ChangeRecorder changes;

    SessionRemovalService(Database database, TraceTransaction transactions, ChangeRecorder changes) {
        this.database = database;
        this.transactions = transactions;
        this.changes = changes;
    }

    /** Removes a session; its runs are deleted later. Responds with 404 if it does not exist. */
    Uni<Void> remove(UUID tenantId, UUID id) {
        return transactions.run(tenantId, Lock.EXCLUSIVE, connection -> removeSession(connection, tenantId, id))
                .invoke(() -> changes.ofSession(tenantId, ChangeType.SESSION, id, null))
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
                .uni(() -> database.everyWorkspace(SessionRemovalService::deleteBatch))
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

    // Deletes a batch of runs of a removed session, or its remaining data, in one transaction; batches are idempotent. Returns
    // whether a session was claimed.
    private static Uni<Boolean> deleteBatch(SqlConnection connection) {
        return connection.query(CLAIM)
                .execute()
                .chain(claimed -> claimed.size() == 0
                        ? Uni.createFrom().item(false)
                        : deleteBatch(connection, claimed.iterator().next()).replaceWith(true));
    }

    private static Uni<Void> deleteBatch(SqlConnection connection, Row claimed) {
        UUID tenantId = claimed.getUUID(0);
        UUID sessionId = claimed.getUUID(1);
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, sessionId, BATCH_SIZE))
                .chain(found -> found.size() == 0
                        ? finish(connection, Tuple.of(tenantId, sessionId))
                        : delete(connection, tenantId, sessionId, found));
    }

    // Locks trace.run_places first, in the same order as all writers of runs.
    private static Uni<Void> delete(SqlConnection connection, UUID tenantId, UUID sessionId, RowSet<Row> found) {
        OffsetDateTime[] times = found.stream()
                .map(row -> row.getOffsetDateTime(1))
                .toArray(OffsetDateTime[]::new);
        Tuple runs = Tuple.tuple()
                .addUUID(tenantId)
                .addUUID(sessionId)
                .addValue(ids(found))
                .addValue(times)
                .addValue(times[0])
                .addValue(times[times.length - 1]);
        return connection.preparedQuery(LOCK)
                .execute(Tuple.of(tenantId, sessionId, ids(found)))
                .chain(locked -> deleteById(connection, Tuple.of(tenantId, ids(locked))))
                .chain(() -> connection.preparedQuery(DELETE_RUNS).execute(runs))
                .replaceWithVoid();
    }

    private static Uni<Void> deleteById(SqlConnection connection, Tuple ids) {
        Uni<Void> done = Uni.createFrom().voidItem();
        for (String statement : DELETE_BY_ID) {
            done = done.chain(() -> connection.preparedQuery(statement).execute(ids).replaceWithVoid());
        }
        return done;
    }

    private static Uni<Void> finish(SqlConnection connection, Tuple session) {
        return connection.preparedQuery(DELETE_FEEDBACK)
                .execute(session)
                .chain(() -> RunSummaryService.delete(connection, session.getUUID(0), session.getUUID(1)))
                .chain(() -> connection.preparedQuery(FINISH).execute(session))
                .replaceWithVoid();
    }

    private static UUID[] ids(RowSet<Row> rows) {
        return rows.stream()
                .map(row -> row.getUUID(0))
                .toArray(UUID[]::new);
    }
}
