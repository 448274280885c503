package dev.waybill.export.run;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.export.trace.Checkpoint;
import dev.waybill.export.trace.Snapshot;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Stores the progress and the result of attempts. Every statement compares the lease token and the previous state; an update
 * of no row means that the lease is lost.
 */
@Singleton
class AttemptRepository {

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

    private static final String DELETE_UPLOADS = "DELETE FROM export.uploads WHERE tenant_id = $1 AND run_id = $2";

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

    Uni<Void> begin(SqlConnection connection, Lease lease) {
        return updateIfLeased(connection, BEGIN, lease,
                List.of(RunFailure.WORKER_LOST.code(), RunFailure.WORKER_LOST.message()));
    }

    Uni<Attempt> load(SqlConnection connection, Lease lease) {
        return connection.preparedQuery(LOAD)
                .execute(Tuple.of(lease.tenantId(), lease.id()))
                .map(rows -> rows.iterator().next())
                .chain(row -> committed(connection, lease, row)
                        .chain(files -> files(connection, CHECKPOINTS, lease.tenantId(), lease.id())
                                .map(checkpoints -> RunRowMapper.attempt(row, lease, files.isEmpty() ? null : files,
                                        checkpoints))));
    }

    private Uni<List<RunFile>> committed(SqlConnection connection, Lease lease, Row row) {
        return RunState.parse(row.getString("state")) == RunState.COMMITTING
                ? files(connection, lease.tenantId(), lease.id())
                : Uni.createFrom().item(List.of());
    }

    Uni<List<RunFile>> files(SqlConnection connection, UUID tenantId, UUID runId) {
        return files(connection, FILES, tenantId, runId);
    }

    private static Uni<List<RunFile>> files(SqlConnection connection, String sql, UUID tenantId, UUID runId) {
        return connection.preparedQuery(sql)
                .execute(Tuple.of(tenantId, runId))
                .map(AttemptRepository::files);
    }

    /** Stores the progress; the renewal of the lease in the same transaction has compared the token. */
    Uni<Void> recordProgress(SqlConnection connection, Lease lease, long rows, long bytes) {
        return connection.preparedQuery(RECORD_PROGRESS)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token(), rows, bytes))
                .replaceWithVoid();
    }

    Uni<Void> recordUploads(SqlConnection connection, Lease lease, Map<String, String> keysByUploadId) {
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

    /** Stores finished files while the lease is held; later attempts continue after them. */
    Uni<Void> recordCheckpoints(SqlConnection connection, Lease lease, List<RunFile> files) {
        if (files.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return connection.preparedQuery(RECORD_CHECKPOINT)
                .executeBatch(files.stream()
                        .map(file -> {
                            List<@Nullable Object> values = new ArrayList<>(
                                    List.of(lease.tenantId(), lease.id(), lease.token()));
                            values.addAll(values(file));
                            return Tuple.tuple(values);
                        })
                        .toList())
                .replaceWithVoid();
    }

    Uni<Void> deleteCheckpoints(SqlConnection connection, UUID tenantId, UUID runId) {
        return connection.preparedQuery(DELETE_CHECKPOINTS)
                .execute(Tuple.of(tenantId, runId))
                .replaceWithVoid();
    }

    Uni<Void> commit(SqlConnection connection, Lease lease, List<RunFile> files, Snapshot snapshot) {
        long rows = files.stream().mapToLong(RunFile::rows).sum();
        long bytes = files.stream().mapToLong(RunFile::bytes).sum();
        return updateIfLeased(connection, COMMIT, lease, List.of(rows, bytes, RunState.COMMITTING.storedPredecessors(),
                snapshot.transactions(), snapshot.takenAt().atOffset(ZoneOffset.UTC)))
                .chain(() -> connection.preparedQuery(INSERT_FILE)
                        .executeBatch(files.stream().map(file -> tuple(lease, file)).toList()))
                .chain(() -> deleteCheckpoints(connection, lease.tenantId(), lease.id()))
                .chain(() -> recordTruncated(connection, lease, files.stream().mapToLong(RunFile::truncatedRows).sum()));
    }

    private Uni<Void> recordTruncated(SqlConnection connection, Lease lease, long rows) {
        return rows == 0 ? Uni.createFrom().voidItem() : recordError(connection, lease, RunFailure.rowsTruncated(rows));
    }

    Uni<Void> recordSnapshot(SqlConnection connection, Lease lease, Snapshot snapshot) {
        return updateIfLeased(connection, RECORD_SNAPSHOT, lease,
                List.of(snapshot.transactions(), snapshot.takenAt().atOffset(ZoneOffset.UTC)));
    }

    Uni<Void> end(SqlConnection connection, Lease lease, RunState end) {
        return updateIfLeased(connection, END, lease, List.of(end.stored(), end.storedPredecessors()));
    }

    /**
     * Completes a run whose files are all visible, and deletes the records of its uploads.
     *
     * @param verified keys of the files whose size in the store was verified
     */
    Uni<Void> complete(SqlConnection connection, Lease lease, List<String> verified) {
        return updateIfLeased(connection, COMPLETE, lease, List.of(RunState.COMPLETED.stored(),
                RunState.COMPLETED.storedPredecessors(), verified.toArray(String[]::new)));
    }

    Uni<Void> deleteUploads(SqlConnection connection, UUID tenantId, UUID runId) {
        return connection.preparedQuery(DELETE_UPLOADS)
                .execute(Tuple.of(tenantId, runId))
                .replaceWithVoid();
    }

    Uni<Void> deleteFiles(SqlConnection connection, Lease lease) {
        return connection.preparedQuery(DELETE_FILES)
                .execute(Tuple.of(lease.tenantId(), lease.id()))
                .replaceWithVoid();
    }

    Uni<Void> recordError(SqlConnection connection, Lease lease, RunFailure failure) {
        return updateIfLeased(connection, RECORD_ERROR, lease, List.of(failure.code(), failure.message()));
    }

    /** Schedules the next attempt; {@code restart} discards a commit record that cannot be completed. */
    Uni<Void> retryLater(SqlConnection connection, Lease lease, Duration delay, boolean restart) {
        return updateIfLeased(connection, RETRY_LATER, lease, List.of(delay.toMillis() / 1000.0, restart));
    }

    /** Releases the lease of a run; the attempt does not count. */
    Uni<Void> release(SqlConnection connection, Lease lease) {
        return updateIfLeased(connection, RELEASE, lease, List.of());
    }

    private static Uni<Void> updateIfLeased(SqlConnection connection, String sql, Lease lease, List<Object> values) {
        Tuple tuple = Tuple.tuple(Arrays.asList(lease.tenantId(), lease.id(), lease.token()));
        values.forEach(tuple::addValue);
        return connection.preparedQuery(sql)
                .execute(tuple)
                .chain(updated -> updated.rowCount() == 1
                        ? Uni.createFrom().voidItem()
                        : Uni.createFrom().failure(new LeaseLostException(lease, null)));
    }

    private static Tuple tuple(Lease lease, RunFile file) {
        List<@Nullable Object> values = new ArrayList<>(List.of(lease.tenantId(), lease.id()));
        values.addAll(values(file));
        return Tuple.tuple(values);
    }

    private static List<@Nullable Object> values(RunFile file) {
        List<@Nullable Object> values = new ArrayList<>(List.of(file.number(), file.key(), RunRowMapper.json(file.upload()),
                file.rows(), file.bytes(), file.sha256(), utc(file.minStartTime()), utc(file.maxStartTime()),
                file.truncatedRows()));
        Checkpoint checkpoint = file.checkpoint();
        values.addAll(checkpoint == null ? Arrays.asList(null, null, null, null, null)
                : List.of(utc(checkpoint.last().startTime()), checkpoint.last().id(), checkpoint.ids(),
                        checkpoint.snapshot().transactions(),
                        utc(checkpoint.snapshot().takenAt())));
        return values;
    }

    private static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    private static List<RunFile> files(RowSet<Row> rows) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(RunRowMapper::file)
                .toList();
    }
}
