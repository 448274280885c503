package dev.waybill.export.schedule;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BulkExportProgress;
import dev.waybill.common.api.export.ScheduleWindowResponse;
import dev.waybill.common.api.export.WindowError;
import dev.waybill.common.api.export.WindowStatus;
import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.common.page.Page;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Lists the windows of schedules. */
@Singleton
class WindowService {

    // The windows with an export, and those of a live schedule without one, up to the window that contains the current time.
    private static final String SELECTED = """
            WITH schedule AS (
                SELECT start_time, interval_hours, next_window, status
                FROM export.bulk_exports
                WHERE tenant_id = $1 AND id = $2 AND interval_hours IS NOT NULL),
            windows AS (
                SELECT window_number AS number, start_time, end_time, status, id
                FROM export.bulk_exports
                WHERE tenant_id = $1 AND source_bulk_export_id = $2 AND window_number IS NOT NULL
                UNION ALL
                SELECT n, s.start_time + make_interval(hours => ((n - 1) * s.interval_hours)::int),
                       s.start_time + make_interval(hours => (n * s.interval_hours)::int), 'Pending', NULL
                FROM schedule AS s
                CROSS JOIN generate_series(s.next_window, greatest(s.next_window,
                    floor(extract(epoch FROM now() - s.start_time) / (s.interval_hours * 3600))::bigint + 1)) AS n
                WHERE s.status = 'IntervalScheduled'),
            selected AS (
                SELECT * FROM windows
                WHERE ($3::text[] IS NULL OR status = ANY ($3)) AND ($4::timestamptz IS NULL OR end_time > $4)
                    AND ($5::timestamptz IS NULL OR start_time < $5))
            """;
    private static final String COUNT = SELECTED + "SELECT count(*) FROM selected";

    // Errors of runs that were completed by a later attempt do not count, nor rows of runs whose files are deleted.
    private static final String LIST = SELECTED
            + """
                    SELECT w.number, w.start_time, w.end_time, w.status, w.id, e.created_at, e.finished_at,
                           coalesce(e.late_rows, 0) AS late_rows, p.runs_total, p.runs_completed, p.rows_exported, p.bytes_exported,
                           b.id AS backfilled_by,
                           coalesce(e.failure_code, CASE w.status WHEN 'TimedOut' THEN 'timed_out' ELSE
                               coalesce(f.code, CASE w.status WHEN 'Failed' THEN 'failed' END) END) AS code,
                           coalesce(e.failure_message, CASE w.status WHEN 'TimedOut' THEN 'The export exceeded its maximum duration.'
                               ELSE coalesce(f.message, 'The export failed; the errors of its runs state the cause.') END) AS message,
                           coalesce(f.attempt, e.attempts + 1) AS attempt, coalesce(f.since, e.finished_at) AS since,
                           coalesce(e.finished_at, f.at) AS at
                    FROM (SELECT * FROM selected ORDER BY number DESC LIMIT $6 OFFSET $7) AS w
                    LEFT JOIN export.bulk_exports AS e ON e.tenant_id = $1 AND e.id = w.id
                    CROSS JOIN LATERAL (
                        SELECT count(*)::int AS runs_total, (count(*) FILTER (WHERE r.state = 'Completed'))::int AS runs_completed,
                               coalesce(sum(r.rows_written) FILTER (WHERE r.state NOT IN ('Failed', 'TimedOut', 'Cancelled')), 0)::bigint
                                   AS rows_exported,
                               coalesce(sum(r.bytes_written) FILTER (WHERE r.state NOT IN ('Failed', 'TimedOut', 'Cancelled')), 0)::bigint
                                   AS bytes_exported
                        FROM export.runs AS r
                        WHERE r.tenant_id = $1 AND r.export_id = w.id) AS p
                    LEFT JOIN LATERAL (
                        SELECT error.key::int AS attempt, error.value ->> 'code' AS code, error.value ->> 'message' AS message,
                               (error.value ->> 'at')::timestamptz AS at,
                               min((error.value ->> 'at')::timestamptz) OVER () AS since
                        FROM export.runs AS r
                        CROSS JOIN LATERAL jsonb_each(r.errors) AS error
                        WHERE r.tenant_id = $1 AND r.export_id = w.id AND r.state <> 'Completed'
                        ORDER BY 4 DESC, 1 DESC
                        LIMIT 1) AS f ON w.status IN ('Created', 'Running', 'Failed', 'TimedOut')
                    LEFT JOIN LATERAL (
                        SELECT backfill.id
                        FROM export.bulk_exports AS backfill
                        WHERE backfill.tenant_id = $1 AND backfill.source_bulk_export_id = $2 AND backfill.window_number IS NULL
                            AND backfill.status = 'Completed' AND backfill.start_time <= w.start_time
                            AND backfill.end_time >= w.end_time
                        ORDER BY backfill.created_at DESC, backfill.id
                        LIMIT 1) AS b ON TRUE
                    ORDER BY w.number DESC
                    """;

    private static final String EXISTS = "SELECT FROM export.bulk_exports WHERE tenant_id = $1 AND id = $2";

    private final Database database;

    WindowService(Database database) {
        this.database = database;
    }

    /** Returns windows, the newest first; none for an export without a schedule. */
    Uni<Page<ScheduleWindowResponse>> list(UUID tenantId, UUID scheduleId, WindowFilter filter) {
        return database.inWorkspaceSnapshot(tenantId, connection -> requireExport(connection, tenantId, scheduleId)
                .chain(() -> connection.preparedQuery(COUNT).execute(Tuple.tuple(selection(tenantId, scheduleId, filter))))
                .map(rows -> rows.iterator().next().getLong(0))
                .chain(total -> windows(connection, tenantId, scheduleId, filter)
                        .map(windows -> new Page<>(windows, total))));
    }

    private static Uni<List<ScheduleWindowResponse>> windows(SqlConnection connection, UUID tenantId, UUID scheduleId,
            WindowFilter filter) {
        Tuple values = Tuple.tuple(selection(tenantId, scheduleId, filter))
                .addInteger(filter.page().limit())
                .addInteger(filter.page().offset());
        return connection.preparedQuery(LIST)
                .execute(values)
                .map(rows -> Rows.list(rows, WindowService::window));
    }

    private static Uni<Void> requireExport(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(EXISTS)
                .execute(Tuple.of(tenantId, id))
                .chain(rows -> rows.size() > 0
                        ? Uni.createFrom().voidItem()
                        : Uni.createFrom().failure(ProblemException.notFound("export", id)));
    }

    private static List<@Nullable Object> selection(UUID tenantId, UUID scheduleId, WindowFilter filter) {
        String[] statuses = filter.statuses().stream().map(WindowStatus::toString).toArray(String[]::new);
        return Arrays.asList(tenantId, scheduleId, statuses.length == 0 ? null : statuses, utc(filter.from()),
                utc(filter.to()));
    }

    private static ScheduleWindowResponse window(Row row) {
        return new ScheduleWindowResponse(row.getLong("number"), row.getOffsetDateTime("start_time").toInstant(),
                row.getOffsetDateTime("end_time").toInstant(), WindowStatus.parse(row.getString("status")), row.getUUID("id"),
                Rows.instant(row, "created_at"), Rows.instant(row, "finished_at"),
                new BulkExportProgress(row.getInteger("runs_total"), row.getInteger("runs_completed"),
                        row.getLong("rows_exported"), row.getLong("bytes_exported")),
                row.getLong("late_rows"), error(row), row.getUUID("backfilled_by"));
    }

    private static @Nullable WindowError error(Row row) {
        String code = row.getString("code");
        return code == null ? null
                : new WindowError(code, row.getString("message"), row.getInteger("attempt"),
                        row.getOffsetDateTime("since").toInstant(), row.getOffsetDateTime("at").toInstant());
    }

    private static @Nullable OffsetDateTime utc(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }
}
