package dev.waybill.export.run;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.common.job.LeaseTable;
import dev.waybill.export.trace.Snapshot;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Claims runs and stores the progress and results of attempts. Every statement compares the lease token and the previous state;
 * a call whose lease is lost fails with {@link LeaseLostException} and changes nothing.
 */
@Singleton
public class AttemptService {

    // If the previous attempt has no error, its worker crashed or was paused until its lease expired.
    private static final String BEGIN = """
            UPDATE export.runs
            SET errors = CASE WHEN attempts = 0 OR errors ? attempts::text THEN errors
                    ELSE errors || jsonb_build_object(attempts::text, jsonb_build_object('code', $4::text, 'message', $5::text,
                        'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))) END,
                state = CASE WHEN state = 'Committing' THEN state ELSE 'Running' END,
                attempts = attempts + 1,
                started_at = coalesce(started_at, now()), updated_at = now(), uploads_open = true
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND state IN ('Created', 'Running', 'Committing')
            """;

    private static final String LOAD = """
            SELECT r.export_id, r.tenant_id, r.state, r.attempts, r.start_time, r.end_time, e.destination_id, e.session_id,
                   e.key_prefix, e.format_version, e.compression, e.export_fields, e.filter, e.trace_parent,
                   s.name AS session_name,
                   jsonb_path_exists(r.errors, '$.*.code ? (@ == "upload_gone")') AS started_over
            FROM export.runs AS r
            JOIN export.bulk_exports AS e ON e.tenant_id = r.tenant_id AND e.id = r.export_id
            LEFT JOIN trace.sessions AS s ON s.tenant_id = e.tenant_id AND s.id = e.session_id
            WHERE r.tenant_id = $1 AND r.id = $2
            """;

    private static final String FILES = """
            SELECT number, upload, rows, bytes, sha256, min_start_time, max_start_time, truncated_rows,
                   last_start_time, last_id, row_ids, snapshot::text, snapshot_at
            FROM export.files
            WHERE tenant_id = $1 AND run_id = $2
            ORDER BY number
            """;

    private static final String CHECKPOINTS = FILES.replace("export.files", "export.checkpoints");

    // The lock and the token exclude a worker whose lease expired: its successor has already loaded the checkpoints.
    private static final String RECORD_CHECKPOINT = """
            INSERT INTO export.checkpoints
                (tenant_id, run_id, number, key, upload, rows, bytes, sha256, min_start_time, max_start_time, truncated_rows,
                 last_start_time, last_id, row_ids, snapshot, snapshot_at)
            SELECT tenant_id, id, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16::text::pg_snapshot, $17
            FROM export.runs
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND state = 'Running'
            FOR UPDATE
            ON CONFLICT DO NOTHING
            """;

    private static final String DELETE_CHECKPOINTS = "DELETE FROM export.checkpoints WHERE tenant_id = $1 AND run_id = $2";

    private static final String RECORD_PROGRESS = """
            UPDATE export.runs
            SET rows_written = greatest(rows_written, $4), bytes_written = greatest(bytes_written, $5), updated_at = now()
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND state = 'Running'
                AND (rows_written < $4 OR bytes_written < $5)
            """;

    private static final String RECORD_UPLOAD = """
            INSERT INTO export.uploads (tenant_id, run_id, upload_id, key)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """;

    private static final String COMMIT = """
            UPDATE export.runs
            SET state = 'Committing', rows_written = $4, bytes_written = $5, updated_at = now(),
                snapshot = $7::text::pg_snapshot, snapshot_at = $8
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND state = ANY ($6)
            """;

    private static final String RECORD_SNAPSHOT = """
            UPDATE export.runs
            SET snapshot = $4::text::pg_snapshot, snapshot_at = $5
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3
            """;

    private static final String INSERT_FILE = """
            INSERT INTO export.files
                (tenant_id, run_id, number, key, upload, rows, bytes, sha256, min_start_time, max_start_time, truncated_rows,
                 last_start_time, last_id, row_ids, snapshot, snapshot_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::text::pg_snapshot, $16)
            """;

    // An earlier attempt may have started an upload that is not recorded; the cleanup lists the uploads of the folder.
    private static final String END = """
            UPDATE export.runs
            SET state = $4, finished_at = now(), updated_at = now(), lease_until = NULL, lease_owner = NULL,
                uploads_open = uploads_open AND ($4 <> 'Completed' OR lease_token > 1)
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND state = ANY ($5)
            """;

    // Stores that do not list uploads need these ids for the cleanup.
    private static final String DELETE_FILES = """
            WITH files AS (
                DELETE FROM export.files WHERE tenant_id = $1 AND run_id = $2
                RETURNING tenant_id, run_id, upload, key),
            checkpoints AS (
                DELETE FROM export.checkpoints WHERE tenant_id = $1 AND run_id = $2
                RETURNING tenant_id, run_id, upload, key)
            INSERT INTO export.uploads (tenant_id, run_id, upload_id, key)
            SELECT tenant_id, run_id, upload ->> 'upload_id', key FROM files
            UNION
            SELECT tenant_id, run_id, upload ->> 'upload_id', key FROM checkpoints
            ON CONFLICT DO NOTHING
            """;

    // One statement for performance: ends the run, marks verified files and deletes the records of completed uploads.
    private static final String COMPLETE = """
            WITH ended AS (
                %s
                RETURNING tenant_id, id),
            marked AS (
                UPDATE export.files AS f
                SET verified = (f.key = ANY ($6))
                FROM ended
                WHERE f.tenant_id = $1 AND f.run_id = $2),
            deleted AS (
                DELETE FROM export.uploads AS u
                USING ended
                WHERE u.tenant_id = $1 AND u.run_id = $2)
            SELECT FROM ended
            """.formatted(END.indent(4).strip());

    private static final String RECORD_ERROR = """
            UPDATE export.runs
            SET errors = errors || jsonb_build_object(attempts::text, jsonb_build_object('code', $4::text, 'message', $5::text,
                    'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3
            """;

    private static final String RETRY_LATER = """
            UPDATE export.runs
            SET next_attempt_at = clock_timestamp() + make_interval(secs => $4), updated_at = now(), lease_until = NULL,
                lease_owner = NULL, state = CASE WHEN $5 THEN 'Running' ELSE state END
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND state IN ('Running', 'Committing')
            """;

    private static final String RELEASE = """
            UPDATE export.runs
            SET attempts = greatest(0, attempts - 1), updated_at = now(), lease_until = NULL, lease_owner = NULL
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND state IN ('Created', 'Running', 'Committing')
            """;

    private final Database database;
    private final ExportRunQueue queue;

    AttemptService(Database database, ExportRunQueue queue) {
        this.database = database;
        this.queue = queue;
    }

    /** Returns the leases of runs, for renewal. */
    public LeaseTable leases() {
        return queue.leases();
    }

    /** Claims the next due run, in a transaction that sees every workspace; empty when none is due. */
    public Uni<List<Lease>> claimNext(SqlConnection connection, String owner, Duration lease) {
        return queue.claimNext(connection, owner, lease);
    }

    /** Starts an attempt of a claimed run; the run's timeout starts with its first attempt. */
    public Uni<Attempt> begin(Lease lease) {
        return database.inWorkspace(lease.tenantId(), connection -> updateIfLeased(connection, BEGIN, lease,
                ExportRunFailure.WORKER_LOST.code(), ExportRunFailure.WORKER_LOST.message())
                .chain(() -> load(connection, lease)));
    }

    /** Stores row and byte counts, open uploads and finished files, in the transaction that renewed the lease. */
    public Uni<Void> recordProgress(SqlConnection connection, Lease lease, long rows, long bytes,
            Map<String, String> keysByUploadId, List<ExportRunFile> checkpoints) {
        return connection.preparedQuery(RECORD_PROGRESS)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token(), rows, bytes))
                .chain(() -> recordUploads(connection, lease, keysByUploadId, checkpoints));
    }

    /** Stores open uploads, for their later cleanup, and finished files, while the lease is held. */
    public Uni<Void> recordUploads(Lease lease, Map<String, String> keysByUploadId, List<ExportRunFile> checkpoints) {
        return database.inWorkspace(lease.tenantId(),
                connection -> recordUploads(connection, lease, keysByUploadId, checkpoints));
    }

    /**
     * Stores the commit record of files whose parts are all uploaded; recovery completes them from now on.
     *
     * @param snapshot the database snapshot that was read, which identifies rows stored later
     */
    public Uni<Void> commit(Lease lease, List<ExportRunFile> files, Snapshot snapshot) {
        return database.inWorkspace(lease.tenantId(), connection -> commit(connection, lease, files, snapshot));
    }

    /** Completes a run without rows and stores the snapshot that was read. */
    public Uni<Void> completeEmpty(Lease lease, Snapshot snapshot) {
        return database.inWorkspace(lease.tenantId(), connection -> updateIfLeased(connection, RECORD_SNAPSHOT, lease,
                snapshot.transactions(), utc(snapshot.takenAt()))
                .chain(() -> complete(connection, lease, List.of())));
    }

    /**
     * Completes a run whose files are all visible.
     *
     * @param verified keys of the files whose size in the store was verified
     */
    public Uni<Void> complete(Lease lease, List<String> verified) {
        return database.inWorkspace(lease.tenantId(), connection -> complete(connection, lease, verified));
    }

    /** Stores the error and releases the run; the next attempt continues after the delay. */
    public Uni<Void> retryLater(Lease lease, ExportRunFailure failure, Duration delay) {
        return database.inWorkspace(lease.tenantId(), connection -> recordError(connection, lease, failure)
                .chain(() -> retryLater(connection, lease, delay, false)));
    }

    /** Stores the error and releases the run; the next attempt restarts from the first row, as the uploads are unusable. */
    public Uni<Void> restart(Lease lease, ExportRunFailure failure, Duration delay) {
        return database.inWorkspace(lease.tenantId(), connection -> recordError(connection, lease, failure)
                .chain(() -> retryLater(connection, lease, delay, true))
                .chain(() -> connection.preparedQuery(DELETE_FILES).execute(Tuple.of(lease.tenantId(), lease.id())))
                .replaceWithVoid());
    }

    /** Fails the run; the caller fails the export in the same transaction. */
    public Uni<Void> fail(SqlConnection connection, Lease lease, ExportRunFailure failure) {
        // The attempt that detects lost workers does no work, so it does not count.
        Uni<Void> counted = failure.equals(ExportRunFailure.WORKER_LOST)
                ? release(connection, lease)
                : Uni.createFrom().voidItem();
        return counted
                .chain(() -> recordError(connection, lease, failure))
                .chain(() -> updateIfLeased(connection, END, lease, ExportRunState.FAILED.stored(),
                        ExportRunState.FAILED.storedPredecessors()));
    }

    /** Releases the lease of a run without counting the attempt, so that another worker can claim it immediately. */
    public Uni<Void> release(SqlConnection connection, Lease lease) {
        return updateIfLeased(connection, RELEASE, lease);
    }

    private static Uni<Attempt> load(SqlConnection connection, Lease lease) {
        return connection.preparedQuery(LOAD)
                .execute(Tuple.of(lease.tenantId(), lease.id()))
                .map(rows -> rows.iterator().next())
                .chain(row -> committed(connection, lease, row)
                        .chain(files -> files(connection, CHECKPOINTS, lease)
                                .map(checkpoints -> RunRowMapper.attempt(row, lease, files.isEmpty() ? null : files,
                                        checkpoints))));
    }

    private static Uni<List<ExportRunFile>> committed(SqlConnection connection, Lease lease, Row row) {
        return ExportRunState.parse(row.getString("state")) == ExportRunState.COMMITTING
                ? files(connection, FILES, lease)
                : Uni.createFrom().item(List.of());
    }

    private static Uni<List<ExportRunFile>> files(SqlConnection connection, String sql, Lease lease) {
        return connection.preparedQuery(sql)
                .execute(Tuple.of(lease.tenantId(), lease.id()))
                .map(rows -> Rows.list(rows, RunRowMapper::file));
    }

    private static Uni<Void> recordUploads(SqlConnection connection, Lease lease, Map<String, String> keysByUploadId,
            List<ExportRunFile> checkpoints) {
        return recordUploads(connection, lease, keysByUploadId)
                .chain(() -> recordCheckpoints(connection, lease, checkpoints));
    }

    private static Uni<Void> recordUploads(SqlConnection connection, Lease lease, Map<String, String> keysByUploadId) {
        if (keysByUploadId.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        List<Tuple> batch = keysByUploadId.entrySet().stream()
                .map(upload -> Tuple.of(lease.tenantId(), lease.id(), upload.getKey(), upload.getValue()))
                .toList();
        return connection.preparedQuery(RECORD_UPLOAD)
                .executeBatch(batch)
                .replaceWithVoid();
    }

    // Later attempts continue after these files.
    private static Uni<Void> recordCheckpoints(SqlConnection connection, Lease lease, List<ExportRunFile> files) {
        if (files.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return connection.preparedQuery(RECORD_CHECKPOINT)
                .executeBatch(files.stream()
                        .map(file -> RunRowMapper.values(file, lease.tenantId(), lease.id(), lease.token()))
                        .toList())
                .replaceWithVoid();
    }

    private static Uni<Void> commit(SqlConnection connection, Lease lease, List<ExportRunFile> files, Snapshot snapshot) {
        long rows = files.stream().mapToLong(ExportRunFile::rows).sum();
        long bytes = files.stream().mapToLong(ExportRunFile::bytes).sum();
        return updateIfLeased(connection, COMMIT, lease, rows, bytes, ExportRunState.COMMITTING.storedPredecessors(),
                snapshot.transactions(), utc(snapshot.takenAt()))
                .chain(() -> connection.preparedQuery(INSERT_FILE)
                        .executeBatch(files.stream()
                                .map(file -> RunRowMapper.values(file, lease.tenantId(), lease.id()))
                                .toList()))
                .chain(() -> connection.preparedQuery(DELETE_CHECKPOINTS).execute(Tuple.of(lease.tenantId(), lease.id())))
                .chain(() -> recordTruncated(connection, lease, files.stream().mapToLong(ExportRunFile::truncatedRows).sum()));
    }

    private static Uni<Void> recordTruncated(SqlConnection connection, Lease lease, long rows) {
        return rows == 0 ? Uni.createFrom().voidItem() : recordError(connection, lease, ExportRunFailure.rowsTruncated(rows));
    }

    private static Uni<Void> complete(SqlConnection connection, Lease lease, List<String> verified) {
        return updateIfLeased(connection, COMPLETE, lease, ExportRunState.COMPLETED.stored(),
                ExportRunState.COMPLETED.storedPredecessors(), verified.toArray(String[]::new));
    }

    private static Uni<Void> recordError(SqlConnection connection, Lease lease, ExportRunFailure failure) {
        return updateIfLeased(connection, RECORD_ERROR, lease, failure.code(), failure.message());
    }

    /** Schedules the next attempt; {@code restart} discards a commit record that cannot be completed. */
    private static Uni<Void> retryLater(SqlConnection connection, Lease lease, Duration delay, boolean restart) {
        return updateIfLeased(connection, RETRY_LATER, lease, delay.toMillis() / 1000.0, restart);
    }

    private static Uni<Void> updateIfLeased(SqlConnection connection, String sql, Lease lease, Object... values) {
        Tuple tuple = Tuple.of(lease.tenantId(), lease.id(), lease.token());
        for (Object value : values) {
            tuple.addValue(value);
        }
        return connection.preparedQuery(sql)
                .execute(tuple)
                .invoke(updated -> lease.requireHeld(updated.rowCount()))
                .replaceWithVoid();
    }

    private static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }
}
