package dev.waybill.export.schedule;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Rows;
import dev.waybill.export.schedule.ScheduleRules.Context;
import dev.waybill.export.schedule.ScheduleRules.Context.WindowResult;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads, locks and updates the scheduled exports in {@code export.bulk_exports}. */
@Singleton
class ScheduleRepository {

    private static final String UNFINISHED = """
            EXISTS (
                SELECT FROM export.bulk_exports AS spawned
                WHERE spawned.tenant_id = s.tenant_id AND spawned.source_bulk_export_id = s.id AND spawned.window_number IS NOT NULL
                    AND spawned.status IN ('Created', 'Running'))
            """;

    private static final String ENTITLED = """
            EXISTS (
                SELECT FROM account.workspaces AS w
                JOIN account.organizations AS o ON o.id = w.organization_id
                WHERE w.id = s.tenant_id AND o.plan IN ('plus', 'enterprise'))
            """;

    // Finds candidates only; the conditions are evaluated again after the row is locked.
    private static final String DUE = """
            SELECT s.tenant_id, s.id
            FROM export.bulk_exports AS s
            WHERE s.status = 'IntervalScheduled' AND s.paused_at IS NULL
                AND s.end_time <= now() - make_interval(secs => $1)
                AND NOT\s""" + UNFINISHED + " AND " + ENTITLED + """
            ORDER BY s.end_time, s.id
            LIMIT $2
            """;

    private static final String LOCK = """
            SELECT s.tenant_id, s.id, s.start_time, s.interval_hours, s.next_window, s.proven_from
            FROM export.bulk_exports AS s
            WHERE s.tenant_id = $1 AND s.id = $2 AND s.status = 'IntervalScheduled' AND s.paused_at IS NULL
            FOR UPDATE SKIP LOCKED
            """;

    private static final String CONTEXT = "SELECT clock_timestamp() AS now, " + UNFINISHED + " AS is_unfinished, "
            + ENTITLED + " AS is_entitled, " + """
                    EXISTS (
                        SELECT FROM trace.sessions AS t
                        WHERE t.tenant_id = s.tenant_id AND t.id = s.session_id) AS has_session
                    FROM export.bulk_exports AS s
                    WHERE s.tenant_id = $1 AND s.id = $2
                    """;

    private static final String RECENT = """
            SELECT failure_code, failure_message
            FROM export.bulk_exports
            WHERE tenant_id = $1 AND source_bulk_export_id = $2 AND window_number >= $3
            ORDER BY window_number DESC
            LIMIT $4
            """;

    private static final String ADVANCE = """
            UPDATE export.bulk_exports
            SET next_window = next_window + 1, end_time = $4, updated_at = now()
            WHERE tenant_id = $1 AND id = $2 AND next_window = $3 AND status = 'IntervalScheduled'
            """;

    private static final String PAUSE = """
            UPDATE export.bulk_exports
            SET paused_at = now(), pause_reason = $3, updated_at = now()
            WHERE tenant_id = $1 AND id = $2 AND status = 'IntervalScheduled'
            """;

    /** Returns schedules that may have a due window, the longest overdue first. */
    Uni<List<ScheduleId>> due(SqlConnection connection, Duration delay, int maxCount) {
        return connection.preparedQuery(DUE)
                .execute(Tuple.of(delay.toMillis() / 1000.0, maxCount))
                .map(rows -> Rows.list(rows, row -> new ScheduleId(row.getUUID("tenant_id"), row.getUUID("id"))));
    }

    /** Locks the schedule until the transaction ends; empty when it is locked, paused or cancelled. */
    Uni<Optional<Schedule>> lock(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(LOCK)
                .execute(Tuple.of(tenantId, id))
                .map(ScheduleRepository::schedule);
    }

    /** Reads the data that the next action of a locked schedule depends on. */
    Uni<Context> context(SqlConnection connection, Schedule schedule, int recentResults) {
        return connection.preparedQuery(CONTEXT)
                .execute(Tuple.of(schedule.tenantId(), schedule.id()))
                .map(rows -> rows.iterator().next())
                .chain(row -> connection.preparedQuery(RECENT)
                        .execute(Tuple.of(schedule.tenantId(), schedule.id(), schedule.countFailuresFrom(), recentResults))
                        .map(results -> context(row, results)));
    }

    /** Advances the schedule to its next window. */
    Uni<Void> advance(SqlConnection connection, Schedule schedule) {
        long number = schedule.nextWindowNumber();
        return connection.preparedQuery(ADVANCE)
                .execute(Tuple.of(schedule.tenantId(), schedule.id(), number,
                        schedule.window(number + 1).endTime().atOffset(ZoneOffset.UTC)))
                .replaceWithVoid();
    }

    Uni<Void> pause(SqlConnection connection, Schedule schedule, String reason) {
        return connection.preparedQuery(PAUSE)
                .execute(Tuple.of(schedule.tenantId(), schedule.id(), reason))
                .replaceWithVoid();
    }

    private static Optional<Schedule> schedule(RowSet<Row> rows) {
        return Rows.findFirst(rows, row -> new Schedule(row.getUUID("tenant_id"), row.getUUID("id"),
                row.getOffsetDateTime("start_time").toInstant(), row.getInteger("interval_hours"),
                row.getLong("next_window"), row.getLong("proven_from")));
    }

    private static Context context(Row row, RowSet<Row> recentResults) {
        List<WindowResult> results = Rows.list(recentResults,
                result -> new WindowResult(result.getString("failure_code"), result.getString("failure_message")));
        return new Context(row.getOffsetDateTime("now").toInstant(), row.getBoolean("is_unfinished"),
                row.getBoolean("is_entitled"), row.getBoolean("has_session"), results);
    }

    /** The key of a schedule. */
    record ScheduleId(UUID tenantId, UUID id) {
    }
}
