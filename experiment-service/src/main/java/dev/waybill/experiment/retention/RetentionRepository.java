package dev.waybill.experiment.retention;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Rows;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Finds and deletes expired runs, by PostgreSQL's clock, together with their feedback and attachments. Counts the sessions of
 * a workspace by tier.
 */
@Singleton
class RetentionRepository {

    // Allows one replica at a time; the lock is released with the transaction.
    private static final String TRY_LOCK = "SELECT pg_try_advisory_xact_lock(hashtextextended('retention of runs', 0))";

    // Late runs expire by the time they were received, so imported old runs are not deleted immediately.
    private static final String EXPIRED = """
            start_time < now() - make_interval(secs => $1) AND received_at < now() - make_interval(secs => $1)""";

    private static final String EXPIRED_SESSIONS = """
            SELECT s.tenant_id, s.id FROM trace.sessions s
            WHERE s.trace_tier = $2 AND (s.tenant_id, s.id) > ($3, $4)
                AND EXISTS (SELECT FROM trace.runs r WHERE r.tenant_id = s.tenant_id AND r.session_id = s.id AND\s""" + EXPIRED
            + """
                            )
                    ORDER BY s.tenant_id, s.id LIMIT 100
                    """;

    private static final String FIND = "SELECT id, start_time FROM trace.runs WHERE tenant_id = $2 AND session_id = $3 AND "
            + EXPIRED + " ORDER BY start_time, id LIMIT $4";

    // Writers of runs lock rows of run_places first, in the order of ids, to avoid deadlocks.
    private static final String LOCK = """
            SELECT FROM trace.run_places WHERE tenant_id = $1 AND id = ANY($2) ORDER BY id FOR UPDATE
            """;

    // A run that was moved to another start time meanwhile is not found and remains.
    private static final String DELETE = """
            DELETE FROM trace.runs r USING unnest($3::uuid[], $4::timestamptz[]) AS old (id, start_time)
            WHERE r.tenant_id = $1 AND r.session_id = $2 AND r.start_time BETWEEN $5 AND $6
                AND r.start_time = old.start_time AND r.id = old.id
            RETURNING r.id
            """;

    private static final List<String> DELETE_DEPENDENTS = List.of(
            "DELETE FROM trace.attachments WHERE tenant_id = $1 AND run_id = ANY($2)",
            "DELETE FROM trace.feedback WHERE tenant_id = $1 AND run_id = ANY($2)",
            "DELETE FROM trace.run_places WHERE tenant_id = $1 AND id = ANY($2)");

    private static final String DROP = """
            SELECT trace.drop_empty_runs_partitions(now() - make_interval(secs => $1))
            """;

    private static final String COUNT = """
            SELECT count(*) FILTER (WHERE reference_dataset_id IS NULL) AS projects,
                count(*) FILTER (WHERE reference_dataset_id IS NOT NULL) AS experiments
            FROM trace.sessions WHERE tenant_id = $1 AND trace_tier = $2
            """;

    /** Returns the number of the workspace's sessions with the tier. */
    Uni<SessionCount> countSessions(SqlConnection connection, UUID tenantId, TraceTier tier) {
        return connection.preparedQuery(COUNT)
                .execute(Tuple.of(tenantId, tier.toString()))
                .map(rows -> rows.iterator().next())
                .map(row -> new SessionCount(row.getLong("projects"), row.getLong("experiments")));
    }

    /** Returns whether this transaction got the lock. */
    Uni<Boolean> tryLock(SqlConnection connection) {
        return connection.query(TRY_LOCK)
                .execute()
                .map(rows -> rows.iterator().next().getBoolean(0));
    }

    /** Returns sessions of the tier after {@code last}, sorted by key, that have expired runs. */
    Uni<List<ExpiredSession>> findExpired(SqlConnection connection, TraceTier tier, Duration retention, ExpiredSession last) {
        return connection.preparedQuery(EXPIRED_SESSIONS)
                .execute(Tuple.of(seconds(retention), tier.toString(), last.tenantId(), last.id()))
                .map(rows -> Rows.list(rows, row -> new ExpiredSession(row.getUUID(0), row.getUUID(1))));
    }

    /** Deletes up to {@code limit} expired runs of the session; returns their number. */
    Uni<Integer> deleteBatch(SqlConnection connection, ExpiredSession session, Duration retention, int limit) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(seconds(retention), session.tenantId(), session.id(), (long) limit))
                .chain(found -> found.size() == 0
                        ? Uni.createFrom().item(0)
                        : delete(connection, session, found));
    }

    /** Drops empty partitions of months before the retention; returns their number. */
    Uni<Integer> dropEmpty(SqlConnection connection, Duration retention) {
        return connection.preparedQuery(DROP)
                .execute(Tuple.of(seconds(retention)))
                .map(rows -> rows.iterator().next().getInteger(0));
    }

    private static Uni<Integer> delete(SqlConnection connection, ExpiredSession session, RowSet<Row> found) {
        UUID[] ids = ids(found);
        OffsetDateTime[] startTimes = found.stream()
                .map(row -> row.getOffsetDateTime(1))
                .toArray(OffsetDateTime[]::new);
        Tuple runs = Tuple.tuple()
                .addUUID(session.tenantId())
                .addUUID(session.id())
                .addValue(ids)
                .addValue(startTimes)
                .addValue(startTimes[0])
                .addValue(startTimes[startTimes.length - 1]);
        return connection.preparedQuery(LOCK).execute(Tuple.of(session.tenantId(), ids))
                .chain(() -> connection.preparedQuery(DELETE).execute(runs))
                .chain(deleted -> deleteDependents(connection, session.tenantId(), ids(deleted)));
    }

    private static Uni<Integer> deleteDependents(SqlConnection connection, UUID tenantId, UUID[] runs) {
        Uni<Void> done = Uni.createFrom().voidItem();
        for (String delete : DELETE_DEPENDENTS) {
            done = done.chain(() -> connection.preparedQuery(delete).execute(Tuple.of(tenantId, runs)).replaceWithVoid());
        }
        return done.replaceWith(runs.length);
    }

    private static UUID[] ids(RowSet<Row> rows) {
        return rows.stream()
                .map(row -> row.getUUID(0))
                .toArray(UUID[]::new);
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    /** Number of sessions with a tier. */
    record SessionCount(long projects, long experiments) {
    }

    /** A session with runs that have exceeded their retention. */
    record ExpiredSession(UUID tenantId, UUID id) {

        private static final UUID NIL = new UUID(0, 0);

        /** Sorts before all sessions. */
        static final ExpiredSession NONE = new ExpiredSession(NIL, NIL);
    }
}
