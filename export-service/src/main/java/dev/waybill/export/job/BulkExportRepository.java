package dev.waybill.export.job;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BulkExportProgress;
import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.api.export.WindowFailure;
import dev.waybill.common.database.Rows;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.export.destination.DestinationUsage;
import dev.waybill.export.job.BulkExportService.TimeRange;
import dev.waybill.export.parquet.ExportField;
import dev.waybill.export.run.ExportLimitsConfig;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads, inserts and ends rows of {@code export.bulk_exports} for clients. Timestamps come from the database clock. */
@Singleton
class BulkExportRepository implements DestinationUsage {

    // The files of a run that ended uncompleted are deleted, so its rows and bytes do not count.
    private static final String SELECT = """
            SELECT e.tenant_id, e.id, e.destination_id, e.session_id, e.source_bulk_export_id, e.start_time, e.end_time,
                   e.format, e.format_version, e.compression, e.export_fields, e.filter, e.status, e.created_at, e.updated_at,
                   e.finished_at, e.interval_hours, e.paused_at, e.pause_reason, e.warnings, l.late_rows, f.failed_windows, f.failed_id,
                   f.failed_start_time, f.failed_end_time, f.failed_code, f.failed_message, f.failed_at, p.runs_total, p.runs_completed,
                   p.rows_exported, p.bytes_exported
            FROM %s AS e
            CROSS JOIN LATERAL (
                SELECT count(*)::int AS runs_total,
                       (count(*) FILTER (WHERE r.state = 'Completed'))::int AS runs_completed,
                       coalesce(sum(r.rows_written) FILTER (WHERE r.state NOT IN ('Failed', 'TimedOut', 'Cancelled')), 0)::bigint AS rows_exported,
                       coalesce(sum(r.bytes_written) FILTER (WHERE r.state NOT IN ('Failed', 'TimedOut', 'Cancelled')), 0)::bigint AS bytes_exported
                FROM (
                    SELECT e.id
                    UNION ALL
                    SELECT spawned.id FROM export.bulk_exports AS spawned
                    WHERE e.interval_hours IS NOT NULL AND spawned.tenant_id = e.tenant_id
                        AND spawned.source_bulk_export_id = e.id) AS part
                JOIN export.runs AS r ON r.tenant_id = e.tenant_id AND r.export_id = part.id) AS p
            CROSS JOIN LATERAL (
                SELECT CASE
                    WHEN e.interval_hours IS NOT NULL THEN (
                        SELECT coalesce(sum(spawned.late_rows), 0)::bigint FROM export.bulk_exports AS spawned
                        WHERE spawned.tenant_id = e.tenant_id AND spawned.source_bulk_export_id = e.id)
                    WHEN e.source_bulk_export_id IS NOT NULL THEN e.late_rows
                END AS late_rows) AS l
            LEFT JOIN LATERAL (
                SELECT (count(*) OVER ())::int AS failed_windows, spawned.id AS failed_id, spawned.start_time AS failed_start_time,
                       spawned.end_time AS failed_end_time, spawned.finished_at AS failed_at,
                       coalesce(spawned.failure_code, CASE spawned.status WHEN 'TimedOut' THEN 'timed_out' ELSE 'failed' END)
                           AS failed_code,
                       coalesce(spawned.failure_message, CASE spawned.status
                           WHEN 'TimedOut' THEN 'The export exceeded its maximum duration.'
                           ELSE 'The export failed; the errors of its runs state the cause.' END) AS failed_message
                FROM export.bulk_exports AS spawned
                WHERE spawned.tenant_id = e.tenant_id AND spawned.source_bulk_export_id = e.id AND spawned.window_number IS NOT NULL
                    AND spawned.status IN ('Failed', 'TimedOut')
                    AND NOT EXISTS (
                        SELECT FROM export.bulk_exports AS backfill
                        WHERE backfill.tenant_id = e.tenant_id AND backfill.source_bulk_export_id = e.id
                            AND backfill.window_number IS NULL AND backfill.status = 'Completed'
                            AND backfill.start_time <= spawned.start_time AND backfill.end_time >= spawned.end_time)
                ORDER BY spawned.window_number DESC
                LIMIT 1) AS f ON e.interval_hours IS NOT NULL
            """;

    private static final String FIND = SELECT.formatted("export.bulk_exports") + "WHERE e.tenant_id = $1 AND e.id = $2";
    // Selects the page first: the progress of skipped exports is not calculated.
    private static final String PAGE = """
            (SELECT * FROM export.bulk_exports AS e WHERE %s ORDER BY e.created_at DESC, e.id LIMIT $%s OFFSET $%s)""";
    private static final String COUNT = "SELECT count(*) FROM export.bulk_exports AS e WHERE ";

    private static final String INSERT = """
            INSERT INTO export.bulk_exports (tenant_id, id, destination_id, session_id, start_time, end_time, key_prefix,
                format, format_version, compression, export_fields, filter, interval_hours, trace_parent, warnings, next_window, status)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::int, $14, $15, CASE WHEN $13 IS NOT NULL THEN 1 END,
                CASE WHEN $13 IS NULL THEN 'Created' ELSE 'IntervalScheduled' END)
            """;

    private static final String INSERT_SPAWNED = """
            INSERT INTO export.bulk_exports (tenant_id, id, source_bulk_export_id, window_number, start_time, end_time,
                destination_id, session_id, key_prefix, format, format_version, compression, export_fields, filter, warnings, trace_parent, status)
            SELECT tenant_id, $3, id, $4, $5, $6,
                destination_id, session_id, key_prefix, format, format_version, compression, export_fields, filter, warnings, $7,
                'Created'
            FROM export.bulk_exports
            WHERE tenant_id = $1 AND id = $2
            """;

    private static final String LOCK_WORKSPACE = """
            SELECT pg_advisory_xact_lock(hashtextextended('waybill.export.order/' || $1::uuid, 0))
            """;

    private static final String COUNT_UNFINISHED = """
            SELECT count(*) FROM export.bulk_exports WHERE tenant_id = $1 AND status IN ('Created', 'Running', 'IntervalScheduled')
            """;

    private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

    private static final String SESSION_EXISTS = "SELECT name FROM trace.sessions WHERE tenant_id = $1 AND id = $2";

    // Not FOR UPDATE: a heartbeat updates its run twice in a transaction, for which PostgreSQL takes a key-share lock on the
    // export; FOR UPDATE would conflict with that lock and deadlock.
    static final String LOCK = "SELECT status FROM export.bulk_exports WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE";

    // The higher token invalidates the lease of a worker that is writing the manifest.
    private static final String END = """
            UPDATE export.bulk_exports
            SET status = $3, finished_at = now(), updated_at = now(), lease_token = lease_token + 1, lease_until = NULL,
                lease_owner = NULL
            WHERE tenant_id = $1 AND id = $2 AND status = ANY ($4)
            """;

    static final String OTHER_VERSION = "This destination's prefix also contains exports of another format_version with a"
            + " different folder layout: Spark cannot discover partitions below the prefix. Read the folder of each export"
            + " separately, or use a destination with a separate prefix.";
    static final String OTHER_FIELDS = "This destination's prefix also contains exports with other export_fields: a query of"
            + " the whole prefix returns the columns of one of them or an error. Read the folder of each export separately, or use"
            + " a destination with a separate prefix.";

    // Exports of a schedule have the schedule's settings, so only the schedule is compared. Thousands of exports have few
    // settings, and sorting fields costs more than finding the rows.
    static final String OTHERS = """
            WITH others AS (
                SELECT DISTINCT o.format_version, o.export_fields
                FROM export.destinations AS own
                JOIN export.destinations AS d ON d.tenant_id = own.tenant_id AND d.bucket_name = own.bucket_name
                    AND d.endpoint_url IS NOT DISTINCT FROM own.endpoint_url
                JOIN export.bulk_exports AS o ON o.tenant_id = d.tenant_id AND o.destination_id = d.id
                WHERE own.tenant_id = $1 AND own.id = $2 AND o.key_prefix = $3 AND o.source_bulk_export_id IS NULL
                    AND (o.status IN ('Created', 'Running', 'Completed') OR o.interval_hours IS NOT NULL))
            SELECT coalesce(bool_or(format_version <> $4), false) AS other_version,
                   coalesce(bool_or(format_version = $4 AND $5::text[] <> ARRAY(
                       SELECT f FROM unnest(coalesce(export_fields, $6::text[])) AS f ORDER BY f COLLATE "C")), false)
                       AS other_fields
            FROM others
            """;
    private static final String USES = """
            SELECT EXISTS (
                SELECT FROM export.bulk_exports
                WHERE tenant_id = $1 AND destination_id = $2 AND status IN ('Created', 'Running', 'IntervalScheduled'))
            """;

    private static final String PROVEN = """
            UPDATE export.bulk_exports
            SET paused_at = NULL, pause_reason = NULL, proven_from = next_window, updated_at = now()
            WHERE tenant_id = $1 AND destination_id = $2 AND status = 'IntervalScheduled'
            """;

    private final int maxUnfinished;
    private final Telemetry telemetry;

    BulkExportRepository(ExportLimitsConfig limits, Telemetry telemetry) {
        this.telemetry = telemetry;
        this.maxUnfinished = limits.unfinishedExports();
    }

    /**
     * Fails with 429 unless the workspace may have another unfinished export. A lock serializes concurrent requests of the
     * workspace.
     */
    Uni<Void> requireExportCapacity(SqlConnection connection, UUID tenantId) {
        return connection.preparedQuery(LOCK_WORKSPACE)
                .execute(Tuple.of(tenantId))
                .chain(() -> connection.preparedQuery(COUNT_UNFINISHED).execute(Tuple.of(tenantId)))
                .map(rows -> rows.iterator().next().getLong(0))
                .chain(unfinished -> unfinished < maxUnfinished
                        ? Uni.createFrom().voidItem()
                        : Uni.createFrom().failure(tooMany(unfinished)));
    }

    private static ProblemException tooMany(long unfinished) {
        return new ProblemException(CommonProblem.TOO_MANY_REQUESTS, "This workspace has " + unfinished
                + " exports that wait, run or are scheduled, which is the maximum; wait until some have ended, or cancel some.")
                .retryAfter(RETRY_AFTER);
    }

    /** Returns the session's name; fails with 404 when it does not exist. */
    Uni<String> requireSession(SqlConnection connection, UUID tenantId, UUID sessionId) {
        return connection.preparedQuery(SESSION_EXISTS)
                .execute(Tuple.of(tenantId, sessionId))
                .map(found -> Rows.findFirst(found, row -> row.getString("name"))
                        .orElseThrow(() -> ProblemException.notFound("session", sessionId)));
    }

    /** Returns a warning for each reason why exports under the same prefix cannot be read together with the new one. */
    Uni<List<String>> prefixWarnings(SqlConnection connection, UUID tenantId, String keyPrefix, ExportSpec spec) {
        List<String> fields = spec.exportFields();
        String[] all = ExportField.defaults().stream().map(ExportField::wireName).toArray(String[]::new);
        String[] requested = (fields == null ? List.of(all) : fields).stream().sorted().toArray(String[]::new);
        return connection.preparedQuery(OTHERS)
                .execute(Tuple.of(tenantId, spec.destinationId(), keyPrefix, spec.version().wireName())
                        .addArrayOfString(requested)
                        .addArrayOfString(all))
                .map(rows -> warnings(rows.iterator().next()));
    }

    Uni<Void> insert(SqlConnection connection, UUID tenantId, UUID id, String keyPrefix, ExportSpec spec,
            List<String> warnings) {
        List<String> fields = spec.exportFields();
        return connection.preparedQuery(INSERT)
                .execute(Tuple.tuple(Arrays.asList(tenantId, id, spec.destinationId(), spec.sessionId(),
                        utc(spec.startTime()), utc(spec.endTime()), keyPrefix, CreateBulkExportValidator.FORMAT,
                        spec.version().wireName(), spec.compression().wireName(),
                        fields == null ? null : fields.toArray(String[]::new), spec.filter(),
                        spec.intervalHours(), telemetry.traceParent(), warnings.toArray(String[]::new))))
                .replaceWithVoid();
    }

    /** Inserts an export of a schedule; {@code windowNumber} is null for a backfill. */
    Uni<Void> insertSpawned(SqlConnection connection, UUID tenantId, UUID id, UUID sourceId, TimeRange range,
            @Nullable Long windowNumber) {
        return connection.preparedQuery(INSERT_SPAWNED)
                .execute(Tuple.tuple(Arrays.asList(tenantId, sourceId, id, windowNumber, utc(range.startTime()),
                        utc(range.endTime()), telemetry.traceParent())))
                .replaceWithVoid();
    }

    /** Returns the export; fails with 404 when it does not exist. */
    Uni<BulkExport> require(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> Rows.findFirst(rows, BulkExportRepository::export)
                        .orElseThrow(() -> ProblemException.notFound("export", id)));
    }

    Uni<List<BulkExport>> list(SqlConnection connection, UUID tenantId, BulkExportFilter filter) {
        return connection.preparedQuery(list(filter))
                .execute(filter.values(tenantId).addInteger(filter.page().limit()).addInteger(filter.page().offset()))
                .map(rows -> Rows.list(rows, BulkExportRepository::export));
    }

    /** Returns the statement of a list; its last two parameters are limit and offset. */
    static String list(BulkExportFilter filter) {
        String page = PAGE.formatted(filter.condition(), filter.parameters() + 1, filter.parameters() + 2);
        return SELECT.formatted(page) + "ORDER BY e.created_at DESC, e.id";
    }

    Uni<Long> count(SqlConnection connection, UUID tenantId, BulkExportFilter filter) {
        return connection.preparedQuery(COUNT + filter.condition())
                .execute(filter.values(tenantId))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    /** Locks the export until the transaction ends and returns its status; fails with 404 when it does not exist. */
    Uni<BulkExportStatus> lock(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(LOCK)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> Rows.findFirst(rows, row -> BulkExportStatus.parse(row.getString("status")))
                        .orElseThrow(() -> ProblemException.notFound("export", id)));
    }

    /** Ends the export if its status permits this end; returns whether it did. */
    Uni<Boolean> end(SqlConnection connection, UUID tenantId, UUID id, BulkExportStatus end) {
        return connection.preparedQuery(END)
                .execute(Tuple.of(tenantId, id, end.toString(), stored(end.predecessors())))
                .map(updated -> updated.rowCount() == 1);
    }

    @Override
    public Uni<Boolean> isUsedByUnfinishedExport(SqlConnection connection, UUID tenantId, UUID destinationId) {
        return connection.preparedQuery(USES)
                .execute(Tuple.of(tenantId, destinationId))
                .map(rows -> rows.iterator().next().getBoolean(0));
    }

    /** Resumes the schedules that use the destination and resets their failure counts. */
    @Override
    public Uni<Void> onValidated(SqlConnection connection, UUID tenantId, UUID destinationId) {
        return connection.preparedQuery(PROVEN)
                .execute(Tuple.of(tenantId, destinationId))
                .replaceWithVoid();
    }

    private static List<String> warnings(Row row) {
        List<String> warnings = new ArrayList<>();
        if (row.getBoolean("other_version")) {
            warnings.add(OTHER_VERSION);
        }
        if (row.getBoolean("other_fields")) {
            warnings.add(OTHER_FIELDS);
        }
        return warnings;
    }

    /** Returns the values of statuses in the database. */
    static String[] stored(Iterable<BulkExportStatus> statuses) {
        return StreamSupport.stream(statuses.spliterator(), false)
                .map(BulkExportStatus::toString)
                .toArray(String[]::new);
    }

    private static BulkExport export(Row row) {
        String[] fields = row.getArrayOfStrings("export_fields");
        return new BulkExport(row.getUUID("tenant_id"), row.getUUID("id"), row.getUUID("destination_id"),
                row.getUUID("session_id"), row.getUUID("source_bulk_export_id"), Rows.requireInstant(row, "start_time"),
                Rows.requireInstant(row, "end_time"), row.getString("format"), row.getString("format_version"),
                row.getString("compression"), fields == null ? null : List.of(fields), row.getString("filter"),
                BulkExportStatus.parse(row.getString("status")), Rows.requireInstant(row, "created_at"),
                Rows.requireInstant(row, "updated_at"),
                Rows.instant(row, "finished_at"), scheduling(row), row.getLong("late_rows"),
                List.of(row.getArrayOfStrings("warnings")), progress(row));
    }

    private static BulkExport.@Nullable Scheduling scheduling(Row row) {
        Integer hours = row.getInteger("interval_hours");
        return hours == null ? null
                : new BulkExport.Scheduling(hours, Rows.instant(row, "paused_at"),
                        row.getString("pause_reason"), failedWindows(row), lastFailure(row));
    }

    private static int failedWindows(Row row) {
        Integer failed = row.getInteger("failed_windows");
        return failed == null ? 0 : failed;
    }

    private static @Nullable WindowFailure lastFailure(Row row) {
        UUID id = row.getUUID("failed_id");
        return id == null ? null
                : new WindowFailure(id, Rows.requireInstant(row, "failed_start_time"),
                        Rows.requireInstant(row, "failed_end_time"),
                        row.getString("failed_code"), row.getString("failed_message"), Rows.requireInstant(row, "failed_at"));
    }

    private static BulkExportProgress progress(Row row) {
        return new BulkExportProgress(row.getInteger("runs_total"), row.getInteger("runs_completed"),
                row.getLong("rows_exported"), row.getLong("bytes_exported"));
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
