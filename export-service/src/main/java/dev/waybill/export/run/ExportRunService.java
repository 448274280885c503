package dev.waybill.export.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import dev.waybill.common.api.export.BulkExportRunResponse;
import dev.waybill.common.api.export.RunError;
import dev.waybill.common.api.export.RunMetadata;
import dev.waybill.common.api.export.RunResult;
import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.common.id.Ids;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.time.Timestamps;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Plans, ends and reads the runs of exports. Timestamps come from the database clock. */
@Singleton
public class ExportRunService {

    // The files of a run that ended uncompleted are deleted, so its rows and bytes do not count.
    private static final String SELECT = """
            SELECT r.id, r.export_id, r.tenant_id, e.session_id, e.key_prefix, e.format_version, r.state, r.attempts,
                   r.start_time, r.end_time, w.rows_written, w.bytes_written, r.errors, r.created_at, r.updated_at,
                   r.finished_at, f.keys, f.last_start_time, f.verified, f.truncated_rows
            FROM export.runs AS r
            JOIN export.bulk_exports AS e ON e.tenant_id = r.tenant_id AND e.id = r.export_id
            CROSS JOIN LATERAL (
                SELECT CASE WHEN r.state IN ('Failed', 'TimedOut', 'Cancelled') THEN 0 ELSE r.rows_written END AS rows_written,
                       CASE WHEN r.state IN ('Failed', 'TimedOut', 'Cancelled') THEN 0 ELSE r.bytes_written END AS bytes_written
                ) AS w
            LEFT JOIN LATERAL (
                SELECT array_agg(key ORDER BY number) AS keys, max(max_start_time) AS last_start_time,
                       bool_and(verified) AS verified, sum(truncated_rows)::bigint AS truncated_rows
                FROM export.files
                WHERE tenant_id = r.tenant_id AND run_id = r.id) AS f ON r.state = 'Completed'
            """;

    private static final String FIND = SELECT + "WHERE r.tenant_id = $1 AND r.export_id = $2 AND r.id = $3";
    private static final String LIST = SELECT + """
            WHERE r.tenant_id = $1 AND r.export_id = $2
            ORDER BY r.created_at DESC, r.id
            LIMIT $3 OFFSET $4
            """;
    private static final String LIST_SPAWNED = SELECT + """
            WHERE r.tenant_id = $1 AND e.source_bulk_export_id = $2
            ORDER BY r.created_at DESC, r.id
            LIMIT $3 OFFSET $4
            """;
    private static final String COUNT = "SELECT count(*) FROM export.runs WHERE tenant_id = $1 AND export_id = $2";
    private static final String COUNT_SPAWNED = """
            SELECT count(*)
            FROM export.runs AS r
            JOIN export.bulk_exports AS e ON e.tenant_id = r.tenant_id AND e.id = r.export_id
            WHERE r.tenant_id = $1 AND e.source_bulk_export_id = $2
            """;
    private static final String EXPORT_EXISTS = "SELECT FROM export.bulk_exports WHERE tenant_id = $1 AND id = $2";

    private static final String PLAN = """
            INSERT INTO export.runs (tenant_id, id, export_id, position, start_time, end_time)
            SELECT $1, day.id, $2, day.position, day.start_time, day.end_time
            FROM unnest($3::uuid[], $4::int[], $5::timestamptz[], $6::timestamptz[])
                AS day (id, position, start_time, end_time)
            """;

    // Executed before the query of the first and last run, so that runs stored between the two are counted as late.
    private static final String RECORD_SNAPSHOT = """
            UPDATE export.bulk_exports SET planned_in = pg_current_snapshot() WHERE tenant_id = $1 AND id = $2
            """;
    private static final String FIRST_AND_LAST = """
            SELECT (SELECT r.start_time
                    FROM trace.runs AS r
                    WHERE r.tenant_id = e.tenant_id AND r.session_id = e.session_id
                        AND r.start_time >= e.start_time AND r.start_time < e.end_time
                    ORDER BY r.start_time
                    LIMIT 1) AS first,
                   (SELECT r.start_time
                    FROM trace.runs AS r
                    WHERE r.tenant_id = e.tenant_id AND r.session_id = e.session_id
                        AND r.start_time >= e.start_time AND r.start_time < e.end_time
                    ORDER BY r.start_time DESC
                    LIMIT 1) AS last
            FROM export.bulk_exports AS e
            WHERE e.tenant_id = $1 AND e.id = $2
            """;
    // The higher token invalidates the leases of the workers that hold these runs.
    private static final String END_UNFINISHED = """
            UPDATE export.runs
            SET state = $3, finished_at = now(), updated_at = now(), lease_token = lease_token + 1, lease_until = NULL,
                lease_owner = NULL
            WHERE tenant_id = $1 AND export_id = $2 AND state = ANY ($4)
            """;

    /** Up to this length every day of a range is planned, so that runs stored before their day is read are exported. */
    private static final int MAX_DAYS_PLANNED_INDIVIDUALLY = 31;
    private static final int MAX_RUNS = 50_000;
    private static final int MAX_SCHEDULE_AGE_DAYS = 3700;
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(5);

    private final Database database;
    private final Ids ids;
    private final Clock clock;

    ExportRunService(Database database, Ids ids, Clock clock) {
        this.database = database;
        this.ids = ids;
        this.clock = clock;
    }

    /** Returns the number of UTC days that the range overlaps, which is the maximum number of its runs. */
    public static long days(Instant startTime, Instant endTime) {
        return DayPartition.count(startTime, endTime);
    }

    /** Returns a violation when the range ends in the future by more than the clock tolerance. */
    public Optional<Violation> checkRangeEnd(Instant endTime) {
        return endTime.isAfter(clock.instant().plus(CLOCK_TOLERANCE))
                ? Optional.of(Violation.of("end_time",
                        "must not be in the future; export the range after its end, or create"
                                + " a scheduled export with interval_hours",
                        "future"))
                : Optional.empty();
    }

    /** Returns a violation when a schedule starts so long ago that it would have too many windows to catch up with. */
    public Optional<Violation> checkScheduleStart(Instant startTime) {
        return startTime.isBefore(clock.instant().minus(MAX_SCHEDULE_AGE_DAYS, ChronoUnit.DAYS))
                ? Optional.of(Violation.of("start_time", "must not be more than " + MAX_SCHEDULE_AGE_DAYS
                        + " days in the past; start the schedule later, and export older runs with a one-off export",
                        "too_long"))
                : Optional.empty();
    }

    /**
     * Creates one run for each UTC day of the range, in the transaction that creates the export. A long range is planned from
     * the session's first to its last run in it, or as its last day when the session has no run.
     */
    public Uni<Void> plan(SqlConnection connection, UUID tenantId, UUID exportId, Instant startTime, Instant endTime) {
        return DayPartition.count(startTime, endTime) <= MAX_DAYS_PLANNED_INDIVIDUALLY
                ? insert(connection, tenantId, exportId, DayPartition.of(startTime, endTime))
                : recordSnapshot(connection, tenantId, exportId)
                        .chain(() -> firstAndLast(connection, tenantId, exportId))
                        .map(found -> found.map(times -> DayPartition.between(startTime, endTime, times.first(), times.last()))
                                .orElseGet(() -> DayPartition.between(startTime, endTime, endTime, endTime)))
                        .invoke(this::requireMaxRuns)
                        .chain(days -> insert(connection, tenantId, exportId, days));
    }

    private void requireMaxRuns(List<DayPartition> days) {
        if (days.size() > MAX_RUNS) {
            throw ProblemException.invalid(List.of(Violation.of("end_time", "results in " + days.size()
                    + " days between the first and the last run of the range, but one export has at most " + MAX_RUNS
                    + "; split the range", "too_long")));
        }
    }

    /** Ends all unfinished runs of an export; the workers that hold them lose their leases. */
    public Uni<Void> endUnfinished(SqlConnection connection, UUID tenantId, UUID exportId, ExportRunState end) {
        return connection.preparedQuery(END_UNFINISHED)
                .execute(Tuple.of(tenantId, exportId, end.stored(), end.storedPredecessors()))
                .replaceWithVoid();
    }

    Uni<BulkExportRunResponse> get(UUID tenantId, UUID exportId, UUID id) {
        return database.inWorkspace(tenantId, connection -> connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, exportId, id)))
                .map(found -> responses(found).stream()
                        .findFirst()
                        .orElseThrow(() -> ProblemException.notFound("run", id)));
    }

    Uni<Page<BulkExportRunResponse>> list(UUID tenantId, UUID exportId, PageParameters page) {
        return list(tenantId, exportId, page, LIST, COUNT);
    }

    Uni<Page<BulkExportRunResponse>> listSpawned(UUID tenantId, UUID sourceId, PageParameters page) {
        return list(tenantId, sourceId, page, LIST_SPAWNED, COUNT_SPAWNED);
    }

    private Uni<Page<BulkExportRunResponse>> list(UUID tenantId, UUID exportId, PageParameters page, String list,
            String count) {
        return database.inWorkspace(tenantId, connection -> requireExport(connection, tenantId, exportId)
                .chain(() -> connection.preparedQuery(list)
                        .execute(Tuple.of(tenantId, exportId, page.limit(), page.offset())))
                .chain(found -> connection.preparedQuery(count)
                        .execute(Tuple.of(tenantId, exportId))
                        .map(rows -> rows.iterator().next().getLong(0))
                        .map(total -> new Page<>(responses(found), total))));
    }

    /** Fails with 404 when the export does not exist. */
    static Uni<Void> requireExport(SqlConnection connection, UUID tenantId, UUID exportId) {
        return connection.preparedQuery(EXPORT_EXISTS)
                .execute(Tuple.of(tenantId, exportId))
                .chain(rows -> rows.size() > 0
                        ? Uni.createFrom().voidItem()
                        : Uni.createFrom().failure(ProblemException.notFound("export", exportId)));
    }

    private Uni<Void> insert(SqlConnection connection, UUID tenantId, UUID exportId, List<DayPartition> days) {
        // Sorted ids keep the days in order in lists, where ids break ties.
        UUID[] newIds = days.stream().map(day -> ids.newId()).sorted().toArray(UUID[]::new);
        Integer[] positions = days.stream().map(DayPartition::position).toArray(Integer[]::new);
        return connection.preparedQuery(PLAN)
                .execute(Tuple.tuple(Arrays.asList(tenantId, exportId, newIds, positions, times(days, DayPartition::startTime),
                        times(days, DayPartition::endTime))))
                .replaceWithVoid();
    }

    // The snapshot that the days are planned in identifies runs stored later.
    private static Uni<Void> recordSnapshot(SqlConnection connection, UUID tenantId, UUID exportId) {
        return connection.preparedQuery(RECORD_SNAPSHOT)
                .execute(Tuple.of(tenantId, exportId))
                .replaceWithVoid();
    }

    /** Returns the start times of the first and last run in the export's range; empty when there is none. */
    private static Uni<Optional<FirstAndLast>> firstAndLast(SqlConnection connection, UUID tenantId, UUID exportId) {
        return connection.preparedQuery(FIRST_AND_LAST)
                .execute(Tuple.of(tenantId, exportId))
                .map(rows -> rows.iterator().next())
                .map(row -> Optional.ofNullable(row.getOffsetDateTime("first"))
                        .map(first -> new FirstAndLast(first.toInstant(), row.getOffsetDateTime("last").toInstant())));
    }

    private static OffsetDateTime[] times(List<DayPartition> days, Function<DayPartition, Instant> time) {
        return days.stream()
                .map(day -> time.apply(day).atOffset(ZoneOffset.UTC))
                .toArray(OffsetDateTime[]::new);
    }

    private static List<BulkExportRunResponse> responses(RowSet<Row> rows) {
        return Rows.list(rows, ExportRunService::response);
    }

    // The files, the start time of the last row, the verification and the number of truncated rows are known once the run is
    // completed.
    private static BulkExportRunResponse response(Row row) {
        ExportLayout layout = ExportLayout.from(row);
        Instant startTime = Rows.requireInstant(row, "start_time");
        Instant endTime = Rows.requireInstant(row, "end_time");
        Instant lastStartTime = Rows.instant(row, "last_start_time");
        String[] keys = row.getArrayOfStrings("keys");
        RunResult result = new RunResult(row.getLong("rows_written"), row.getLong("bytes_written"),
                keys == null ? List.of() : List.of(keys), layout.folder(startTime),
                lastStartTime == null ? null : Timestamps.format(lastStartTime), row.getBoolean("verified"),
                row.getLong("truncated_rows"));
        return new BulkExportRunResponse(row.getUUID("id"), row.getUUID("export_id"),
                ExportRunState.parse(row.getString("state")).status(), Math.max(0, row.getInteger("attempts") - 1), startTime,
                endTime,
                errors(row.getJsonObject("errors")), Rows.requireInstant(row, "created_at"),
                Rows.requireInstant(row, "updated_at"), Rows.instant(row, "finished_at"),
                new RunMetadata(layout.keyPrefix(), startTime, endTime, result));
    }

    private static Map<String, RunError> errors(JsonObject json) {
        Map<String, RunError> errors = new LinkedHashMap<>();
        json.fieldNames().stream()
                .sorted((one, other) -> Integer.compare(Integer.parseInt(one), Integer.parseInt(other)))
                .forEach(attempt -> errors.put(attempt, error(json.getJsonObject(attempt))));
        return errors;
    }

    private static RunError error(JsonObject json) {
        return new RunError(json.getString("code"), json.getString("message"), Timestamps.parse(json.getString("at")));
    }

    /** Start times of the first and the last run. */
    private record FirstAndLast(Instant first, Instant last) {
    }

    /**
     * Event fired after a transaction that created work; this replica polls immediately. Losing it only delays the work until
     * the next poll.
     */
    public record WorkAvailable() {
    }
}
