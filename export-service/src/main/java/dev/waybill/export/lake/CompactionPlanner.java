package dev.waybill.export.lake;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Finds days to compact. A pass over all sessions finds closed days with runs: one index lookup for each session and day, a
 * batch of sessions in each transaction. Invalid days are found by their recorded changes.
 */
@Singleton
class CompactionPlanner {

    private static final int SESSIONS_PER_BATCH = 100;
    private static final int BATCHES_PER_ROUND = 20;
    /** Interval between passes while no further day closes; finds runs stored late on days without a compaction. */
    private static final Duration PASS_INTERVAL = Duration.ofHours(1);
    private static final int INVALID_PER_ROUND = 1000;
    private static final UUID START = new UUID(0, 0);

    private static final String LOCK = """
            SELECT tenant_id, session_id, end_day, next_pass_at <= now() AS due, closed.day AS closed_day,
                closed.day > end_day AS is_behind
            FROM lake.planning, CAST((now() - make_interval(secs => $1)) AT TIME ZONE 'UTC' AS date) AS closed (day)
            FOR UPDATE OF planning SKIP LOCKED
            """;
    private static final String MOVE = "UPDATE lake.planning SET tenant_id = $1, session_id = $2, end_day = $3";
    private static final String END_PASS = MOVE + ", next_pass_at = now() + make_interval(secs => $4)";

    // A loose scan of the primary key: the first run of a day, then the first run of a later day.
    private static final String PLAN = """
            WITH RECURSIVE batch AS MATERIALIZED (
                SELECT s.tenant_id, s.id
                FROM trace.sessions AS s
                WHERE (s.tenant_id, s.id) > ($1, $2)
                ORDER BY s.tenant_id, s.id
                LIMIT $3),
            days AS (
                SELECT b.tenant_id, b.id, first.start_time
                FROM batch AS b
                CROSS JOIN LATERAL (
                    SELECT r.start_time FROM trace.runs AS r
                    WHERE r.tenant_id = b.tenant_id AND r.session_id = b.id AND r.start_time < $4
                    ORDER BY r.start_time LIMIT 1) AS first
                UNION ALL
                SELECT d.tenant_id, d.id, next.start_time
                FROM days AS d
                CROSS JOIN LATERAL (
                    SELECT r.start_time FROM trace.runs AS r
                    WHERE r.tenant_id = d.tenant_id AND r.session_id = d.id AND r.start_time < $4
                        AND r.start_time >= date_trunc('day', d.start_time, 'UTC') + interval '24 hours'
                    ORDER BY r.start_time LIMIT 1) AS next),
            planned AS (
                INSERT INTO lake.compactions (tenant_id, day)
                SELECT DISTINCT tenant_id, CAST(start_time AT TIME ZONE 'UTC' AS date) FROM days
                ON CONFLICT DO NOTHING
                RETURNING day)
            SELECT b.tenant_id, b.id, count(*) OVER () AS sessions, (SELECT count(*) FROM planned) AS planned
            FROM batch AS b
            ORDER BY b.tenant_id DESC, b.id DESC
            LIMIT 1
            """;

    private static final String PLAN_INVALID = """
            WITH invalid AS (
                SELECT DISTINCT c.tenant_id, c.day
                FROM trace.lake_changes AS l
                JOIN lake.compactions AS c ON c.tenant_id = l.tenant_id AND c.day = l.day
                WHERE c.state IN ('compacted', 'unsupported') AND c.compacted_at <= now() - make_interval(secs => $1)
                    AND NOT pg_visible_in_snapshot(l.xid, c.snapshot::pg_snapshot)
                LIMIT $2)
            UPDATE lake.compactions AS c
            SET state = 'pending', pending_since = now(), attempts = 0, next_attempt_at = now()
            FROM invalid
            WHERE c.tenant_id = invalid.tenant_id AND c.day = invalid.day AND c.state IN ('compacted', 'unsupported')
            """;

    private final Database database;
    private final double closeAfterSeconds;

    CompactionPlanner(Database database, LakeConfig config) {
        this.database = database;
        this.closeAfterSeconds = config.closeAfter().toMillis() / 1000.0;
    }

    /** Plans invalid days and continues the pass over the sessions; does little if another replica plans. */
    Uni<Void> plan() {
        return database.everyWorkspace(connection -> connection.preparedQuery(PLAN_INVALID)
                .execute(Tuple.of(closeAfterSeconds, INVALID_PER_ROUND)))
                .chain(() -> planBatches(BATCHES_PER_ROUND));
    }

    private Uni<Void> planBatches(int batches) {
        return database.everyWorkspace(this::planBatch)
                .chain(more -> more && batches > 1 ? planBatches(batches - 1) : Uni.createFrom().voidItem());
    }

    /** Returns whether the pass has further sessions. */
    private Uni<Boolean> planBatch(SqlConnection connection) {
        return connection.preparedQuery(LOCK)
                .execute(Tuple.of(closeAfterSeconds))
                .chain(rows -> rows.size() == 0 ? Uni.createFrom().item(false)
                        : continuePass(connection, Position.from(rows.iterator().next())));
    }

    private static Uni<Boolean> continuePass(SqlConnection connection, @Nullable Position position) {
        if (position == null) {
            return Uni.createFrom().item(false);
        }
        return connection.preparedQuery(PLAN)
                .execute(Tuple.of(position.tenantId(), position.sessionId(), SESSIONS_PER_BATCH, position.endTime()))
                .chain(rows -> rows.size() == 0 || rows.iterator().next().getLong("sessions") < SESSIONS_PER_BATCH
                        ? endPass(connection, position)
                        : move(connection, position, rows.iterator().next()));
    }

    private static Uni<Boolean> move(SqlConnection connection, Position position, Row last) {
        return connection.preparedQuery(MOVE)
                .execute(Tuple.of(last.getUUID("tenant_id"), last.getUUID("id"), position.endTime().toLocalDate()))
                .replaceWith(true);
    }

    private static Uni<Boolean> endPass(SqlConnection connection, Position position) {
        return connection.preparedQuery(END_PASS)
                .execute(Tuple.of(START, START, position.endTime().toLocalDate(), (double) PASS_INTERVAL.toSeconds()))
                .replaceWith(false);
    }

    /**
     * The last session that a pass has searched.
     *
     * @param endTime the end of the last day that the pass searches
     */
    private record Position(UUID tenantId, UUID sessionId, OffsetDateTime endTime) {

        /** Returns the position of the current pass or the start of the next one; null if none is due. */
        static @Nullable Position from(Row row) {
            Position position = new Position(row.getUUID("tenant_id"), row.getUUID("session_id"), midnight(row, "end_day"));
            if (!position.sessionId().equals(START)) {
                return position;
            }
            return row.getBoolean("due") || row.getBoolean("is_behind")
                    ? new Position(START, START, midnight(row, "closed_day"))
                    : null;
        }

        private static OffsetDateTime midnight(Row row, String column) {
            return row.getLocalDate(column).atStartOfDay().atOffset(ZoneOffset.UTC);
        }
    }
}
