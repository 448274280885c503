package dev.waybill.export.schedule;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import dev.waybill.export.schedule.Circumstances.Outcome;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** The rows of {@code export.bulk_exports} that are schedules. */
@Singleton
class ScheduleRepository {

    private static final String UNFINISHED = """
            EXISTS (
                SELECT FROM export.bulk_exports AS made
                WHERE made.tenant_id = s.tenant_id AND made.source_bulk_export_id = s.id AND made.window_number IS NOT NULL
                    AND made.status IN ('Created', 'Running'))
            """;

    private static final String ENTITLED = """
            EXISTS (
                SELECT FROM account.workspaces AS w
                JOIN account.organizations AS o ON o.id = w.organization_id
                WHERE w.id = s.tenant_id AND o.plan IN ('plus', 'enterprise'))
            """;

    // Only where to look; what holds is asked again once the row is locked.
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

    private static final String CIRCUMSTANCES = "SELECT clock_timestamp() AS now, " + UNFINISHED + " AS is_unfinished, "
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

    /** Some schedules that seem to have something to do, the one that waits longest first. */
    Uni<List<Found>> due(SqlConnection connection, Duration delay, int most) {
        return connection.preparedQuery(DUE)
                .execute(Tuple.of(delay.toMillis() / 1000.0, most))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> new Found(row.getUUID("tenant_id"), row.getUUID("id")))
                        .toList());
    }

    /** The schedule, alive, not paused, and nobody else's until this transaction ends; empty when it is not all of that. */
    Uni<Optional<Schedule>> lock(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(LOCK)
                .execute(Tuple.of(tenantId, id))
                .map(ScheduleRepository::schedule);
    }

    /** What the schedule's next step depends on, as it is now that the schedule is locked. */
    Uni<Circumstances> circumstances(SqlConnection connection, Schedule schedule, int recent) {
        return connection.preparedQuery(CIRCUMSTANCES)
                .execute(Tuple.of(schedule.tenantId(), schedule.id()))
                .map(rows -> rows.iterator().next())
                .chain(row -> connection.preparedQuery(RECENT)
                        .execute(Tuple.of(schedule.tenantId(), schedule.id(), schedule.provenFrom(), recent))
                        .map(outcomes -> circumstances(row, outcomes)));
    }

    /** The next window has its export. */
    Uni<Void> advance(SqlConnection connection, Schedule schedule) {
        long number = schedule.nextNumber();
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
        return StreamSupport.stream(rows.spliterator(), false)
                .map(row -> new Schedule(row.getUUID("tenant_id"), row.getUUID("id"),
                        row.getOffsetDateTime("start_time").toInstant(), row.getInteger("interval_hours"),
                        row.getLong("next_window"), row.getLong("proven_from")))
                .findFirst();
    }

    private static Circumstances circumstances(Row row, RowSet<Row> recent) {
        List<Outcome> outcomes = StreamSupport.stream(recent.spliterator(), false)
                .map(outcome -> new Outcome(outcome.getString("failure_code"), outcome.getString("failure_message")))
                .toList();
        return new Circumstances(row.getOffsetDateTime("now").toInstant(), row.getBoolean("is_unfinished"),
                row.getBoolean("is_entitled"), row.getBoolean("has_session"), outcomes);
    }

    /** Where a schedule is. */
    record Found(UUID tenantId, UUID id) {
    }
}
