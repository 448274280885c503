package dev.waybill.export.job;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseTable;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.FormatVersion;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.AttemptService;
import dev.waybill.export.run.ExportLayout;
import dev.waybill.export.run.ExportLimitsConfig;
import dev.waybill.export.run.ExportRunFailure;
import dev.waybill.export.run.ExportRunService;
import dev.waybill.export.run.ExportRunState;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Claims, completes, fails and times out exports. Every change locks the export before its runs, so that concurrent
 * cancellation, completion, failure and timeout are serialized and the first one wins.
 */
@Singleton
public class ExportLifecycleService {

    // Serializes claims of all replicas, so that limits count committed claims only.
    private static final String LOCK_QUEUE = "SELECT pg_advisory_xact_lock(hashtext('waybill.export.hand-out'))";

    // Starts the oldest waiting exports of each workspace up to its limit. The recursion reads one index entry for each
    // workspace instead of all waiting exports.
    static final String ADMIT = """
            WITH RECURSIVE waiting AS (
                (SELECT tenant_id FROM export.bulk_exports WHERE status = 'Created' ORDER BY tenant_id LIMIT 1)
                UNION ALL
                SELECT (SELECT n.tenant_id
                        FROM export.bulk_exports AS n
                        WHERE n.status = 'Created' AND n.tenant_id > w.tenant_id
                        ORDER BY n.tenant_id
                        LIMIT 1)
                FROM waiting AS w
                WHERE w.tenant_id IS NOT NULL)
            UPDATE export.bulk_exports AS e
            SET status = 'Running', started_at = now(), updated_at = now()
            FROM (SELECT next.tenant_id, next.id
                  FROM waiting
                  CROSS JOIN LATERAL (
                      SELECT greatest(0, $1 - count(*)) AS capacity
                      FROM export.bulk_exports AS running
                      WHERE running.tenant_id = waiting.tenant_id AND running.status = 'Running') AS workspace
                  CROSS JOIN LATERAL (
                      SELECT c.tenant_id, c.id
                      FROM export.bulk_exports AS c
                      WHERE c.tenant_id = waiting.tenant_id AND c.status = 'Created'
                      ORDER BY c.created_at, c.id
                      LIMIT workspace.capacity
                      FOR UPDATE SKIP LOCKED) AS next) AS admitted
            WHERE e.tenant_id = admitted.tenant_id AND e.id = admitted.id
            """;

    private static final String OVERDUE = """
            SELECT e.tenant_id, e.id, r.id AS run_id
            FROM export.bulk_exports AS e
            LEFT JOIN export.runs AS r ON r.tenant_id = e.tenant_id AND r.export_id = e.id
                AND r.state IN ('Running', 'Committing') AND r.started_at < now() - make_interval(secs => $2)
            WHERE e.status = 'Running' AND (e.started_at < now() - make_interval(secs => $1) OR r.id IS NOT NULL)
            """;

    // Reads each unfinished export once, and for a running one its first due run.
    private static final String QUEUE = """
            SELECT count(*) FILTER (WHERE e.status = 'Created') AS waiting,
                   count(*) FILTER (WHERE e.status = 'Running') AS running,
                   coalesce(extract(epoch FROM clock_timestamp() - min(greatest(e.started_at, e.served_at, due.next_attempt_at))
                       FILTER (WHERE due.next_attempt_at IS NOT NULL)), 0)::float8 AS queue_age,
                   coalesce(extract(epoch FROM clock_timestamp() - min(e.created_at)), 0)::float8 AS lag
            FROM export.bulk_exports AS e
            LEFT JOIN LATERAL (
                SELECT r.next_attempt_at
                FROM export.runs AS r
                WHERE r.tenant_id = e.tenant_id AND r.export_id = e.id AND r.state IN ('Created', 'Running', 'Committing')
                    AND r.next_attempt_at <= clock_timestamp()
                    AND (r.lease_until IS NULL OR r.lease_until < clock_timestamp())
                ORDER BY r.position
                LIMIT 1) AS due ON e.status = 'Running'
            WHERE e.status IN ('Created', 'Running')
            """;

    private static final String FINISHED = """
            SELECT e.tenant_id, e.id, e.destination_id, e.session_id, e.start_time, e.end_time, e.key_prefix,
                   e.format_version, e.compression, e.export_fields, e.filter, e.attempts,
                   (SELECT max(r.finished_at) FROM export.runs AS r
                    WHERE r.tenant_id = e.tenant_id AND r.export_id = e.id) AS last_run_finished_at,
                   (SELECT coalesce(sum(f.truncated_rows), 0)::bigint FROM export.runs AS r
                    JOIN export.files AS f ON f.tenant_id = r.tenant_id AND f.run_id = r.id
                    WHERE r.tenant_id = e.tenant_id AND r.export_id = e.id) AS truncated_rows
            FROM export.bulk_exports AS e
            WHERE e.tenant_id = $1 AND e.id = $2
            """;

    private static final String FILES = """
            SELECT f.key, f.rows, f.bytes, f.sha256, f.min_start_time, f.max_start_time
            FROM export.runs AS r
            JOIN export.files AS f ON f.tenant_id = r.tenant_id AND f.run_id = r.id
            WHERE r.tenant_id = $1 AND r.export_id = $2
            ORDER BY r.position, f.number
            """;

    private static final String END = """
            UPDATE export.bulk_exports
            SET status = $4, finished_at = now(), updated_at = now(), lease_until = NULL, lease_owner = NULL
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND status = ANY ($5)
            """;

    private static final String RECORD_FAILURE = """
            UPDATE export.bulk_exports
            SET failure_code = $3, failure_message = $4
            WHERE tenant_id = $1 AND id = $2 AND status = 'Failed'
            """;

    private static final String RETRY_LATER = """
            UPDATE export.bulk_exports
            SET attempts = attempts + 1, next_attempt_at = clock_timestamp() + make_interval(secs => $4), updated_at = now(),
                lease_until = NULL, lease_owner = NULL
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND status = 'Running'
            """;

    private final Database database;
    private final BulkExportRepository exports;
    private final ExportRunService runs;
    private final AttemptService attempts;
    private final ExportLimitsConfig limits;
    private final ChangeRecorder changes;
    private final ExportNotifications notifications;
    private final LeaseTable leases = new LeaseTable("export.bulk_exports", """
            t.status = 'Running' AND t.next_attempt_at <= clock_timestamp()
            AND NOT EXISTS (
                SELECT FROM export.runs AS r
                WHERE r.tenant_id = t.tenant_id AND r.export_id = t.id
                    AND r.state IN ('Created', 'Running', 'Committing'))
            """, "t.created_at, t.id");

    ExportLifecycleService(Database database, BulkExportRepository exports, ExportRunService runs, AttemptService attempts,
            ExportLimitsConfig limits, ChangeRecorder changes, ExportNotifications notifications) {
        this.database = database;
        this.exports = exports;
        this.runs = runs;
        this.attempts = attempts;
        this.limits = limits;
        this.changes = changes;
        this.notifications = notifications;
    }

    /** Returns the leases of exports whose manifest is due. */
    public LeaseTable leases() {
        return leases;
    }

    /** Starts waiting exports, up to the limit of each workspace, and claims the next due run. */
    public Uni<List<Lease>> claimRun(SqlConnection connection, String owner, Duration lease) {
        return connection.query(LOCK_QUEUE).execute()
                .chain(() -> admit(connection))
                .chain(() -> attempts.claimNext(connection, owner, lease));
    }

    /** Returns the number and age of waiting exports of all workspaces. */
    public Uni<QueueState> queueState() {
        return database.everyWorkspace(connection -> connection.query(QUEUE).execute())
                .map(rows -> rows.iterator().next())
                .map(row -> new QueueState(row.getLong("waiting"), row.getLong("running"), row.getDouble("queue_age"),
                        row.getDouble("lag")));
    }

    /** Returns the content of the manifest of a claimed export. */
    public Uni<ManifestInput> manifestInput(Lease lease) {
        return database.inWorkspace(lease.tenantId(), connection -> manifestInput(connection, lease.tenantId(), lease.id()));
    }

    /** Completes the export after its manifest was written; fails when the lease is lost. */
    public Uni<Void> complete(Lease lease) {
        return database.inWorkspace(lease.tenantId(),
                connection -> end(connection, lease, BulkExportStatus.COMPLETED))
                .invoke(() -> changes.ofExport(lease.tenantId(), lease.id()));
    }

    /** Schedules another attempt to write the manifest after the delay. */
    public Uni<Void> retryLater(Lease lease, Duration delay) {
        return database.inWorkspace(lease.tenantId(), connection -> connection.preparedQuery(RETRY_LATER)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token(), seconds(delay)))
                .invoke(updated -> lease.requireHeld(updated.rowCount()))
                .replaceWithVoid());
    }

    /** Fails the export because its manifest cannot be written; fails itself when the lease is lost. */
    public Uni<Void> fail(Lease lease, ExportRunFailure failure) {
        return database.inWorkspace(lease.tenantId(),
                connection -> end(connection, lease, BulkExportStatus.FAILED)
                        .chain(() -> recordFailure(connection, lease.tenantId(), lease.id(), failure))
                        .chain(() -> notifications.failed(connection, lease.tenantId(), lease.id())))
                .invoke(() -> changes.ofExport(lease.tenantId(), lease.id()));
    }

    /** Returns whether the export has ended with a status other than Completed. */
    public Uni<Boolean> hasEndedUncompleted(Lease lease) {
        return database.inWorkspace(lease.tenantId(),
                connection -> exports.require(connection, lease.tenantId(), lease.id()))
                .map(export -> export.status().isFinal() && export.status() != BulkExportStatus.COMPLETED);
    }

    /** Fails a run and its export, and cancels the other runs of the export. */
    public Uni<Void> failRun(Attempt attempt, ExportRunFailure failure) {
        Lease lease = attempt.lease();
        return database.inWorkspace(lease.tenantId(),
                connection -> exports.lock(connection, lease.tenantId(), attempt.exportId())
                        .chain(() -> attempts.fail(connection, lease, failure))
                        .chain(() -> exports.end(connection, lease.tenantId(), attempt.exportId(), BulkExportStatus.FAILED))
                        .chain(ended -> ended ? recordFailure(connection, lease.tenantId(), attempt.exportId(), failure)
                                .chain(() -> notifications.failed(connection, lease.tenantId(), attempt.exportId()))
                                : Uni.createFrom().voidItem())
                        .chain(() -> runs.endUnfinished(connection, lease.tenantId(), attempt.exportId(),
                                ExportRunState.CANCELLED)));
    }

    /** Ends the exports that exceed their maximum duration, also those without a worker. */
    @Scheduled(identity = "export-timeouts", every = "5s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    public Uni<Void> timeOut() {
        return database.everyWorkspace(this::overdue)
                .onItem().transformToMulti(overdue -> Multi.createFrom().iterable(overdue))
                .onItem().transformToUniAndConcatenate(this::timeOut)
                .collect().last();
    }

    private Uni<Void> timeOut(Overdue overdue) {
        return database.inWorkspace(overdue.tenantId(),
                connection -> exports.lock(connection, overdue.tenantId(), overdue.exportId())
                        .chain(() -> timeOut(connection, overdue)))
                .invoke(() -> changes.ofExport(overdue.tenantId(), overdue.exportId()));
    }

    private Uni<Void> timeOut(SqlConnection connection, Overdue overdue) {
        return exports.end(connection, overdue.tenantId(), overdue.exportId(), BulkExportStatus.TIMED_OUT)
                .chain(ended -> ended
                        ? runs.endUnfinished(connection, overdue.tenantId(), overdue.exportId(), ExportRunState.TIMED_OUT)
                                .chain(() -> notifications.failed(connection, overdue.tenantId(), overdue.exportId()))
                        : Uni.createFrom().voidItem());
    }

    private Uni<Void> admit(SqlConnection connection) {
        return connection.preparedQuery(ADMIT)
                .execute(Tuple.of((long) limits.runningExports()))
                .replaceWithVoid();
    }

    private Uni<List<Overdue>> overdue(SqlConnection connection) {
        return connection.preparedQuery(OVERDUE)
                .execute(Tuple.of(seconds(limits.exportTimeout()), seconds(limits.runTimeout())))
                .map(rows -> rows.stream()
                        .map(row -> new Overdue(row.getUUID("tenant_id"), row.getUUID("id")))
                        .distinct()
                        .toList());
    }

    /** Returns the content of the manifest of an export whose runs are all completed. */
    public Uni<ManifestInput> manifestInput(SqlConnection connection, UUID tenantId, UUID exportId) {
        return connection.preparedQuery(FINISHED)
                .execute(Tuple.of(tenantId, exportId))
                .map(rows -> rows.iterator().next())
                .chain(row -> connection.preparedQuery(FILES)
                        .execute(Tuple.of(tenantId, exportId))
                        .map(files -> manifestInput(row, Rows.list(files, ExportLifecycleService::file))));
    }

    private static Uni<Void> end(SqlConnection connection, Lease lease, BulkExportStatus end) {
        return connection.preparedQuery(END)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token(), end.toString(),
                        BulkExportRepository.stored(end.predecessors())))
                .invoke(updated -> lease.requireHeld(updated.rowCount()))
                .replaceWithVoid();
    }

    // Stores the cause if the export ended as Failed.
    private static Uni<Void> recordFailure(SqlConnection connection, UUID tenantId, UUID id, ExportRunFailure failure) {
        return connection.preparedQuery(RECORD_FAILURE)
                .execute(Tuple.of(tenantId, id, failure.code(), failure.message()))
                .replaceWithVoid();
    }

    private static ManifestInput manifestInput(Row row, List<ManifestInput.File> files) {
        FormatVersion version = FormatVersion.of(row.getString("format_version")).orElseThrow();
        String[] names = row.getArrayOfStrings("export_fields");
        List<String> fields = names == null ? null : List.of(names);
        ExportLayout layout = new ExportLayout(row.getString("key_prefix"), row.getUUID("id"), row.getUUID("tenant_id"),
                row.getUUID("session_id"), version);
        return new ManifestInput(row.getUUID("destination_id"), Rows.requireInstant(row, "start_time"),
                Rows.requireInstant(row, "end_time"),
                layout, ExportSchema.named(fields, version), row.getString("compression"), row.getString("filter"), files,
                row.getInteger("attempts"),
                Rows.requireInstant(row, "last_run_finished_at"), row.getLong("truncated_rows"));
    }

    private static ManifestInput.File file(Row row) {
        return new ManifestInput.File(row.getString("key"), row.getLong("rows"), row.getLong("bytes"),
                row.getString("sha256"), Rows.requireInstant(row, "min_start_time"),
                Rows.requireInstant(row, "max_start_time"));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    /**
     * Number and age of unfinished exports of all workspaces.
     *
     * @param waitingExports number of exports in status Created
     * @param runningExports number of exports in status Running
     * @param queueAgeSeconds longest time that a running export has had a due run without a worker; 0 when there is none
     * @param lagSeconds age of the oldest unfinished export; 0 when there is none
     */
    public record QueueState(long waitingExports, long runningExports, double queueAgeSeconds, double lagSeconds) {

        /** The state without any unfinished export. */
        public static final QueueState EMPTY = new QueueState(0, 0, 0, 0);
    }

    /** An export that exceeds its maximum duration, or has a run that does. */
    private record Overdue(UUID tenantId, UUID exportId) {
    }
}
