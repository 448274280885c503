package dev.waybill.experiment.retention;

import java.time.Duration;
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

/** Finds runs that are too old by PostgreSQL's clock, and deletes them with what belongs to them. */
@Singleton
class RetentionRepository {

    // Only one replica at a time; the transaction's end gives it back, whatever way.
    private static final String CLAIM = "SELECT pg_try_advisory_xact_lock(hashtextextended('retention of runs', 0))";

    // What was sent late counts from when it came: an import of old runs is not deleted as soon as it is there.
    private static final String TOO_OLD = """
            start_time < now() - make_interval(secs => $1) AND received_at < now() - make_interval(secs => $1)""";

    private static final String AGED_SESSIONS = """
            SELECT s.tenant_id, s.id FROM trace.sessions s
            WHERE s.trace_tier = $2 AND (s.tenant_id, s.id) > ($3, $4)
                AND EXISTS (SELECT FROM trace.runs r WHERE r.tenant_id = s.tenant_id AND r.session_id = s.id AND\s""" + TOO_OLD
            + """
                            )
                    ORDER BY s.tenant_id, s.id LIMIT 100
                    """;

    private static final String FIND = "SELECT id, start_time FROM trace.runs WHERE tenant_id = $2 AND session_id = $3 AND "
            + TOO_OLD + " ORDER BY start_time, id LIMIT $4";

    // As all who write runs do it: the places first, in the order of their ids.
    private static final String LOCK = """
            SELECT FROM trace.run_places WHERE tenant_id = $1 AND id = ANY($2) ORDER BY id FOR UPDATE
            """;

    // A run that was moved to another time meanwhile is not where it was found, and stays.
    private static final String REMOVE = """
            DELETE FROM trace.runs r USING unnest($3::uuid[], $4::timestamptz[]) AS old (id, start_time)
            WHERE r.tenant_id = $1 AND r.session_id = $2 AND r.start_time BETWEEN $5 AND $6
                AND r.start_time = old.start_time AND r.id = old.id
            RETURNING r.id
            """;

    private static final List<String> REMOVE_REST = List.of(
            "DELETE FROM trace.attachments WHERE tenant_id = $1 AND run_id = ANY($2)",
            "DELETE FROM trace.feedback WHERE tenant_id = $1 AND run_id = ANY($2)",
            "DELETE FROM trace.run_places WHERE tenant_id = $1 AND id = ANY($2)");

    private static final String DROP = """
            SELECT trace.drop_empty_runs_partitions(now() - make_interval(secs => $1))
            """;

    /** Whether nobody else is at it; until the transaction ends nobody else is then. */
    Uni<Boolean> claim(SqlConnection connection) {
        return connection.query(CLAIM)
                .execute()
                .map(rows -> rows.iterator().next().getBoolean(0));
    }

    /** Some sessions of the tier with runs older than that, in the order of their keys, behind {@code last}. */
    Uni<List<ExpiredSession>> findAged(SqlConnection connection, TraceTier tier, Duration age, ExpiredSession last) {
        return connection.preparedQuery(AGED_SESSIONS)
                .execute(Tuple.of(seconds(age), tier.toString(), last.tenantId(), last.id()))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> new ExpiredSession(row.getUUID(0), row.getUUID(1)))
                        .toList());
    }

    /** Deletes at most so many runs of the session that are older than that; answers how many. */
    Uni<Integer> removeSome(SqlConnection connection, ExpiredSession session, Duration age, int most) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(seconds(age), session.tenantId(), session.id(), (long) most))
                .chain(found -> found.size() == 0
                        ? Uni.createFrom().item(0)
                        : remove(connection, session, found));
    }

    /** Drops partitions of months that ended before and are empty; answers how many. */
    Uni<Integer> dropEmpty(SqlConnection connection, Duration age) {
        return connection.preparedQuery(DROP)
                .execute(Tuple.of(seconds(age)))
                .map(rows -> rows.iterator().next().getInteger(0));
    }

    private static Uni<Integer> remove(SqlConnection connection, ExpiredSession session, RowSet<Row> found) {
        UUID[] ids = ids(found);
        OffsetDateTime[] startTimes = StreamSupport.stream(found.spliterator(), false)
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
                .chain(() -> connection.preparedQuery(REMOVE).execute(runs))
                .chain(removed -> removeRest(connection, session.tenantId(), ids(removed)));
    }

    private static Uni<Integer> removeRest(SqlConnection connection, UUID tenantId, UUID[] runs) {
        Uni<Void> done = Uni.createFrom().voidItem();
        for (String remove : REMOVE_REST) {
            done = done.chain(() -> connection.preparedQuery(remove).execute(Tuple.of(tenantId, runs)).replaceWithVoid());
        }
        return done.replaceWith(runs.length);
    }

    private static UUID[] ids(RowSet<Row> rows) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(row -> row.getUUID(0))
                .toArray(UUID[]::new);
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
