package dev.waybill.experiment.session;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Deletes the data of removed sessions in batches, one per transaction; batches are idempotent. */
@Singleton
class SessionRemovalRepository {

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

    /** Deletes a batch of runs of a removed session, or its remaining data; returns whether a session was claimed. */
    Uni<Boolean> deleteBatch(SqlConnection connection) {
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
        OffsetDateTime[] times = StreamSupport.stream(found.spliterator(), false)
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
                .chain(() -> connection.preparedQuery(FINISH).execute(session))
                .replaceWithVoid();
    }

    private static UUID[] ids(RowSet<Row> rows) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(row -> row.getUUID(0))
                .toArray(UUID[]::new);
    }
}
