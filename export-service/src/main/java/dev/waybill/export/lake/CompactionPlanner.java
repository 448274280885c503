package dev.waybill.export.lake;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import dev.waybill.export.run.FileLimits;
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
    private static final Duration MAX_PASS_INTERVAL = Duration.ofHours(1);
    private static final Duration MIN_PASS_INTERVAL = Duration.ofMinutes(1);
    /** Ratio of the interval to the duration of a pass of one batch. */
    private static final double INTERVAL_FACTOR = 500;
    private static final int AGAIN_PER_ROUND = 1000;
    /** Minimum age of files without a cluster: a replica of the release that stores none may have written them. */
    private static final Duration MIN_AGE_WITHOUT_CLUSTER = Duration.ofMinutes(10);
    private static final UUID START = new UUID(0, 0);

    // A later time than the interval was stored before the clock was set back.
    private static final String LOCK = """
            SELECT tenant_id, session_id, end_day, next_pass_at <= now() OR next_pass_at > now() + make_interval(secs => $2)
                AS due, closed.day AS closed_day, closed.day > end_day AS is_behind
            FROM lake.planning, CAST((now() - make_interval(secs => $1)) AT TIME ZONE 'UTC' AS date) AS closed (day)
            FOR UPDATE OF planning SKIP LOCKED
            """;
    private static final String MOVE = "UPDATE lake.planning SET tenant_id = $1, session_id = $2, end_day = $3";
    private static final String END_PASS = MOVE + """
            , next_pass_at = now() + least(make_interval(secs => $4),
                greatest(make_interval(secs => $5), $6 * (clock_timestamp() - now())))
            """;

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

    // Besides days that changed: days of a dump of another cluster, days that a larger limit may support, and days that are not
    // over because the clock was set back, whose changes are not recorded.
    private static final String PLAN_AGAIN = """
            WITH again AS (
                (SELECT DISTINCT c.tenant_id, c.day
                FROM trace.lake_changes AS l
                JOIN lake.compactions AS c ON c.tenant_id = l.tenant_id AND c.day = l.day
                WHERE c.state IN ('compacted', 'unsupported')
                    AND (c.compacted_at <= now() - make_interval(secs => $1) OR c.compacted_at > now())
                    AND NOT pg_visible_in_snapshot(l.xid, c.snapshot::pg_snapshot)
                LIMIT $2)
                UNION ALL
                (SELECT c.tenant_id, c.day
                FROM lake.compactions AS c, pg_control_system() AS system
                WHERE c.state IN ('compacted', 'unsupported') AND (c.cluster < system.system_identifier
                    OR c.cluster > system.system_identifier OR c.cluster IS NULL AND (c.compacted_at IS NULL
                        OR c.compacted_at <= now() - make_interval(secs => $4) OR c.compacted_at > now()))
                LIMIT $2)
                UNION ALL
                SELECT tenant_id, day FROM lake.compactions
                WHERE state = 'unsupported' AND (max_row_bytes < $3 OR max_row_bytes IS NULL)
                    AND compacted_at <= now() - make_interval(secs => $1)
                UNION ALL
                SELECT tenant_id, day FROM lake.compactions
                WHERE state IN ('compacted', 'unsupported') AND day >= (clock_timestamp() AT TIME ZONE 'UTC')::date)
            UPDATE lake.compactions AS c
            SET state = 'pending', pending_since = now(), attempts = 0, next_attempt_at = now()
            FROM again
            WHERE c.tenant_id = again.tenant_id AND c.day = again.day AND c.state IN ('compacted', 'unsupported')
            """;
    // Transactions of another cluster, whose dump was restored, would never be visible here.
    private static final String DELETE_FOREIGN_CHANGES = """
            DELETE FROM trace.lake_changes WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())
            """;
    private static final String REQUEST_PASS = "UPDATE lake.planning SET next_pass_at = now() WHERE next_pass_at > now()";

    private final Database database;
    private final double closeAfterSeconds;
    private final long maxRowBytes;
    private volatile boolean hasPlanned;

    CompactionPlanner(Database database, LakeConfig config, FileLimits limits) {
        this.database = database;
        this.maxRowBytes = limits.maxRowBytes();
        this.closeAfterSeconds = config.closeAfter().toMillis() / 1000.0;
    }

    /**
     * Plans days to compact again and continues the pass over the sessions; the first round begins one. Does little if another
     * replica plans.
     */
    Uni<Void> plan() {
        return database.everyWorkspace(connection -> connection.preparedQuery(PLAN_AGAIN)
                .execute(
                        Tuple.of(closeAfterSeconds, AGAIN_PER_ROUND, maxRowBytes, (double) MIN_AGE_WITHOUT_CLUSTER.toSeconds()))
                .chain(() -> hasPlanned ? Uni.createFrom().voidItem()
                        : connection.query(REQUEST_PASS).execute().replaceWithVoid()))
                .invoke(() -> hasPlanned = true)
                .chain(() -> planBatches(BATCHES_PER_ROUND));
    }

    private Uni<Void> planBatches(int batches) {
        return database.everyWorkspace(this::planBatch)
                .chain(more -> more && batches > 1 ? planBatches(batches - 1) : Uni.createFrom().voidItem());
    }

    /** Returns whether the pass has further sessions. */
    private Uni<Boolean> planBatch(SqlConnection connection) {
        return connection.preparedQuery(LOCK)
                .execute(Tuple.of(closeAfterSeconds, (double) MAX_PASS_INTERVAL.toSeconds()))
                .chain(rows -> rows.size() == 0 ? Uni.createFrom().item(false)
                        : continuePass(connection, Position.from(rows.iterator().next())));
    }

    private static Uni<Boolean> continuePass(SqlConnection connection, @Nullable Position position) {
        if (position == null) {
            return Uni.createFrom().item(false);
        }
        return (position.isStart() ? connection.query(DELETE_FOREIGN_CHANGES).execute().replaceWithVoid()
                : Uni.createFrom().voidItem())
                .chain(() -> connection.preparedQuery(PLAN)
                        .execute(Tuple.of(position.tenantId(), position.sessionId(), SESSIONS_PER_BATCH, position.endTime())))
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
        Duration min = position.isStart() ? MIN_PASS_INTERVAL : MAX_PASS_INTERVAL;
        return connection.preparedQuery(END_PASS)
                .execute(Tuple.of(START, START, position.endTime().toLocalDate(), (double) MAX_PASS_INTERVAL.toSeconds(),
                        (double) min.toSeconds(), INTERVAL_FACTOR))
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
            if (!position.isStart()) {
                return position;
            }
            return row.getBoolean("due") || row.getBoolean("is_behind")
                    ? new Position(START, START, midnight(row, "closed_day"))
                    : null;
        }

        boolean isStart() {
            return sessionId.equals(START);
        }

        private static OffsetDateTime midnight(Row row, String column) {
            return row.getLocalDate(column).atStartOfDay().atOffset(ZoneOffset.UTC);
        }
    }
}
