package dev.waybill.experiment.session;

import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Removes a session: first the session, while nobody writes in the workspace, so that no run can join it any more; then its
 * runs,
 * which may take longer and disturbs nobody. What a crash leaves between the two is finished by {@link SessionRemovalTimer}.
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
            RETURNING session_id
            """;

    private static final String REMOVE_ATTACHMENTS = """
            DELETE FROM trace.attachments a USING trace.runs r
            WHERE a.tenant_id = $1 AND r.tenant_id = $1 AND r.session_id = $2 AND a.run_id = r.id
            """;

    private static final String REMOVE_FEEDBACK = "DELETE FROM trace.feedback WHERE tenant_id = $1 AND session_id = $2";

    // Feedback that came before its run does not know its session.
    private static final String REMOVE_EARLY_FEEDBACK = """
            DELETE FROM trace.feedback f USING trace.run_places r
            WHERE f.tenant_id = $1 AND f.session_id IS NULL AND r.tenant_id = $1 AND r.session_id = $2 AND f.run_id = r.id
            """;

    // Before the runs, as all who write runs do it.
    private static final String REMOVE_PLACES = """
            DELETE FROM trace.run_places p USING trace.runs r
            WHERE p.tenant_id = $1 AND r.tenant_id = $1 AND r.session_id = $2 AND p.id = r.id
            """;

    private static final String REMOVE_RUNS = "DELETE FROM trace.runs WHERE tenant_id = $1 AND session_id = $2";

    private static final String FINISH = "DELETE FROM trace.session_removals WHERE tenant_id = $1 AND session_id = $2";

    // Those of the last minute are most likely just being worked on.
    private static final String LEFT_BEHIND = """
            SELECT tenant_id, session_id FROM trace.session_removals WHERE asked_at < now() - interval '1 minute'
            ORDER BY asked_at LIMIT 100
            """;

    private final Database database;
    private final WorkspaceGate gate;

    SessionRemovalService(Database database, WorkspaceGate gate) {
        this.database = database;
        this.gate = gate;
    }

    /** Removes the session and its runs; 404 when it is not there. */
    Uni<Void> remove(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> gate.enterAlone(connection, tenantId)
                .chain(() -> removeSession(connection, tenantId, id)))
                .chain(() -> removeRuns(tenantId, id))
                .invoke(() -> LOG.infof("a session and its runs were deleted %s=%s session_id=%s", LogKeys.TENANT_ID, tenantId,
                        id));
    }

    /**
     * Removes the experiments of a dataset in the caller's transaction, which must be alone in the workspace and have locked
     * the
     * dataset. Their runs are still to be removed: by {@link #finish}, or after a crash by the timer.
     */
    public Uni<List<UUID>> beginAllOf(SqlConnection connection, UUID tenantId, UUID datasetId) {
        return connection.preparedQuery(REMOVE_EXPERIMENTS)
                .execute(Tuple.of(tenantId, datasetId))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false).map(row -> row.getUUID(0)).toList());
    }

    /** Removes the runs of a session that is gone. */
    public Uni<Void> finish(UUID tenantId, UUID id) {
        return removeRuns(tenantId, id);
    }

    /** Finishes removals that were left behind; doing one twice does no harm. */
    Uni<Void> finishLeftBehind() {
        return database.everyWorkspace(connection -> connection.query(LEFT_BEHIND).execute())
                .onItem().transformToMulti(rows -> Multi.createFrom().iterable(rows))
                .onItem().transformToUniAndConcatenate(row -> removeRuns(row.getUUID(0), row.getUUID(1)))
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

    private Uni<Void> removeRuns(UUID tenantId, UUID id) {
        Tuple session = Tuple.of(tenantId, id);
        return database.inWorkspace(tenantId, connection -> connection.preparedQuery(REMOVE_ATTACHMENTS).execute(session)
                .chain(() -> connection.preparedQuery(REMOVE_FEEDBACK).execute(session))
                .chain(() -> connection.preparedQuery(REMOVE_EARLY_FEEDBACK).execute(session))
                .chain(() -> connection.preparedQuery(REMOVE_PLACES).execute(session))
                .chain(() -> connection.preparedQuery(REMOVE_RUNS).execute(session))
                .chain(() -> connection.preparedQuery(FINISH).execute(session))
                .replaceWithVoid());
    }
}
