package dev.waybill.experiment.summary;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Rows;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Finds hours to summarize, and stores and deletes summaries. */
@Singleton
class RunSummaryRepository {

    // The statement takes an id, which is above all ids assigned before; the end of a snapshot can be below ids in progress.
    private static final String OBSERVE = """
            SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS oldest_id,
                pg_current_xact_id()::text::bigint AS next_id, clock_timestamp() AS time
            """;

    private static final String LAST_PROGRESS = """
            SELECT max(until) AS until FROM trace.run_summary_progress WHERE isfinite(until)
            """;

    // Days that have not ended may lack runs of hours without a summary, so the trigger of the deleted summaries is not enough.
    private static final String DELETE_CURRENT = """
            WITH progress AS (UPDATE trace.run_summary_progress SET until = date_bin('1 hour', clock_timestamp(), '2000-01-01Z')
                WHERE until > date_bin('1 hour', clock_timestamp(), '2000-01-01Z')),
            days AS (DELETE FROM trace.run_daily_summaries
                WHERE day > date_bin('1 hour', clock_timestamp(), '2000-01-01Z') - interval '24 hours'
                RETURNING tenant_id, session_id, day),
            due AS (INSERT INTO trace.run_summary_days (tenant_id, session_id, day)
                SELECT tenant_id, session_id, day FROM days ON CONFLICT DO NOTHING)
            DELETE FROM trace.run_summaries WHERE hour >= date_bin('1 hour', clock_timestamp(), '2000-01-01Z')
            """;

    private static final String CHANGED = """
            SELECT tenant_id, session_id, (array_agg(DISTINCT hour ORDER BY hour))[1:{hours}] AS hours, false AS discovered
            FROM trace.run_summary_changes changed
            WHERE hour < $1 AND (tenant_id, session_id) > ($2, $3) AND NOT EXISTS (SELECT FROM trace.session_removals removed
                WHERE removed.tenant_id = changed.tenant_id AND removed.session_id = changed.session_id)
            GROUP BY tenant_id, session_id ORDER BY tenant_id, session_id LIMIT {sessions}
            """;

    // Reads one row of the primary key for each hour with runs.
    private static final String DISCOVERED = """
            SELECT s.tenant_id, s.id AS session_id, true AS discovered, ARRAY(
                WITH RECURSIVE found (hour) AS (
                    SELECT ({next})
                    FROM (SELECT coalesce((SELECT p.until FROM trace.run_summary_progress p
                        WHERE p.tenant_id = s.tenant_id AND p.session_id = s.id), '-infinity') AS since) AS progress
                    UNION ALL
                    SELECT ({next}) FROM (SELECT hour + interval '1 hour' AS since FROM found WHERE hour IS NOT NULL) AS progress)
                SELECT hour FROM found WHERE hour IS NOT NULL LIMIT {hours}) AS hours
            FROM trace.sessions s WHERE (s.tenant_id, s.id) > ($2, $3) ORDER BY s.tenant_id, s.id LIMIT {sessions}
            """
            .replace("{next}",
                    """
                            SELECT date_trunc('hour', r.start_time, 'UTC') FROM trace.runs r
                            WHERE r.tenant_id = s.tenant_id AND r.session_id = s.id AND r.start_time >= progress.since AND r.start_time < $1
                            ORDER BY r.start_time, r.id LIMIT 1""");

    private static final String SET_OPTIONS = """
            SELECT set_config('work_mem', '32MB', true), set_config('jit', 'off', true), set_config('enable_nestloop', 'off', true)
            """;

    private static final String TRY_LOCK = """
            SELECT pg_try_advisory_xact_lock(hashtextextended('summaries of runs ' || $1::text, 0))
            """;

    // Of two writers of a session with overlapping snapshots, the second one gets a conflict and repeats with a new snapshot.
    private static final String CLAIM = """
            INSERT INTO trace.run_summary_progress AS p (tenant_id, session_id, until) VALUES ($1, $2, '-infinity')
            ON CONFLICT (tenant_id, session_id) DO UPDATE SET until = p.until
            """;

    private static final String DELETE_CHANGES = """
            DELETE FROM trace.run_summary_changes WHERE tenant_id = $1 AND session_id = $2 AND hour = ANY($3)
            """;

    private static final String DELETE_SUMMARIES = """
            DELETE FROM trace.run_summaries WHERE tenant_id = $1 AND session_id = $2 AND hour = ANY($3)
            """;

    // In this isolation level, a concurrent row with the same key is a conflict, which repeats the transaction.
    private static final String STORE = "INSERT INTO trace.run_summaries (tenant_id, session_id, hour, "
            + SummaryStatement.COLUMNS
            + ", ancestors, open_runs, other_open_runs) SELECT $1, summary.* FROM (" + SummaryStatement.HOURS
            + ") AS summary ON CONFLICT DO NOTHING";

    private static final String ADVANCE = """
            INSERT INTO trace.run_summary_progress AS p (tenant_id, session_id, until) VALUES ($1, $2, $3)
            ON CONFLICT (tenant_id, session_id) DO UPDATE SET until = excluded.until WHERE p.until < excluded.until
            """;

    static final int MAX_SESSIONS = 100;

    private final String changed;
    private final String discovered;

    RunSummaryRepository() {
        this(48);
    }

    RunSummaryRepository(int hours) {
        changed = limited(CHANGED, hours);
        discovered = limited(DISCOVERED, hours);
    }

    private static String limited(String statement, int hours) {
        return statement.replace("{hours}", Integer.toString(hours)).replace("{sessions}", Integer.toString(MAX_SESSIONS));
    }

    Uni<ClosedHours.Observation> observe(SqlConnection connection) {
        return connection.query(OBSERVE)
                .execute()
                .map(rows -> rows.iterator().next())
                .map(row -> new ClosedHours.Observation(row.getOffsetDateTime("time").toInstant(), row.getLong("oldest_id"),
                        row.getLong("next_id")));
    }

    /** Returns the end of the last hour that any replica has summarized. */
    Uni<Optional<Instant>> lastProgress(SqlConnection connection) {
        return connection.query(LAST_PROGRESS)
                .execute()
                .map(rows -> Rows.findFirst(rows, row -> Rows.instant(row, "until")));
    }

    /** Deletes summaries of hours that have not ended, which exist only after the clock was set back. */
    Uni<Integer> deleteCurrent(SqlConnection connection) {
        return connection.query(DELETE_CURRENT).execute().map(RowSet::rowCount);
    }

    /** Returns changed hours before {@code until} of sessions after {@code last}, in the order of sessions. */
    Uni<List<SessionHours>> findChanged(SqlConnection connection, Instant until, SessionHours last) {
        return find(connection, changed, until, last);
    }

    /**
     * Returns the next sessions after {@code last}, with their hours before {@code until} that have runs and were not found
     * before.
     */
    Uni<List<SessionHours>> discover(SqlConnection connection, Instant until, SessionHours last) {
        return find(connection, discovered, until, last);
    }

    static Uni<List<SessionHours>> find(SqlConnection connection, String statement, Instant until, SessionHours last) {
        return connection.preparedQuery(statement)
                .execute(Tuple.of(until.atOffset(ZoneOffset.UTC), last.tenantId(), last.sessionId()))
                .map(rows -> Rows.list(rows, SessionHours::of));
    }

    /**
     * Summarizes the hours of a session; returns whether no other replica was doing so. The transaction must see one point in
     * time: it deletes only changes that it sees, so later ones make the summaries invalid.
     */
    Uni<Boolean> summarize(SqlConnection connection, SessionHours hours) {
        return lock(connection, hours)
                .chain(locked -> locked ? replace(connection, hours).replaceWith(true) : Uni.createFrom().item(false));
    }

    /**
     * Prepares the transaction to summarize a session; returns false if another replica is doing so. Of two transactions with
     * overlapping snapshots, the second one is repeated.
     */
    static Uni<Boolean> lock(SqlConnection connection, SessionHours session) {
        return connection.preparedQuery(TRY_LOCK)
                .execute(Tuple.of(session.sessionId().toString()))
                .map(rows -> rows.iterator().next().getBoolean(0))
                .call(locked -> locked ? claim(connection, session) : Uni.createFrom().voidItem());
    }

    private static Uni<Void> claim(SqlConnection connection, SessionHours session) {
        return connection.query(SET_OPTIONS)
                .execute()
                .chain(() -> connection.preparedQuery(CLAIM).execute(Tuple.of(session.tenantId(), session.sessionId())))
                .replaceWithVoid();
    }

    private static Uni<Void> replace(SqlConnection connection, SessionHours hours) {
        Tuple keys = Tuple.of(hours.tenantId(), hours.sessionId(), hours.hours());
        return connection.preparedQuery(DELETE_CHANGES).execute(keys)
                .chain(() -> connection.preparedQuery(DELETE_SUMMARIES).execute(keys))
                .chain(() -> Multi.createFrom().items(hours.hours())
                        .onItem().transformToUniAndConcatenate(hour -> store(connection, hours, hour))
                        .onItem().ignoreAsUni())
                .chain(() -> hours.discovered() ? advance(connection, hours) : Uni.createFrom().voidItem());
    }

    private static Uni<Void> store(SqlConnection connection, SessionHours hours, OffsetDateTime hour) {
        return connection.preparedQuery(STORE)
                .execute(period(hours.tenantId(), hours.sessionId(), hour, hour.plusHours(1), Buckets.HOUR))
                .replaceWithVoid();
    }

    /** Returns the parameters of {@link SummaryStatement#HOURS} for one hour or day. */
    static Tuple period(UUID tenantId, UUID sessionId, OffsetDateTime start, OffsetDateTime end, long seconds) {
        return Tuple.tuple()
                .addUUID(tenantId)
                .addArrayOfUUID(new UUID[] { sessionId })
                .addArrayOfOffsetDateTime(new OffsetDateTime[] { start })
                .addArrayOfOffsetDateTime(new OffsetDateTime[] { end })
                .addLong(0L)
                .addLong(seconds);
    }

    private static Uni<Void> advance(SqlConnection connection, SessionHours hours) {
        return connection.preparedQuery(ADVANCE)
                .execute(Tuple.of(hours.tenantId(), hours.sessionId(), hours.hours()[hours.hours().length - 1].plusHours(1)))
                .replaceWithVoid();
    }

    /**
     * Hours or days of a session to summarize, in the order of time.
     *
     * @param discovered whether they are the next hours with runs, otherwise hours with changes
     */
    record SessionHours(UUID tenantId, UUID sessionId, OffsetDateTime[] hours, boolean discovered) {

        /** Sorts before all sessions. */
        static final SessionHours NONE = new SessionHours(new UUID(0, 0), new UUID(0, 0), new OffsetDateTime[0], false);

        static SessionHours of(Row row) {
            return new SessionHours(row.getUUID("tenant_id"), row.getUUID("session_id"),
                    row.getArrayOfOffsetDateTimes("hours"), row.getBoolean("discovered"));
        }
    }
}
