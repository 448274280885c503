package dev.waybill.export.verification;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.Receipt;
import dev.waybill.common.database.Database;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseTable;
import dev.waybill.export.job.ExportLifecycleService;
import dev.waybill.export.run.ExportRunFailure;
import dev.waybill.export.verification.CheckedFiles.Checkpoint;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Claims verifications and stores their progress and results; every statement compares the lease's token. */
@Singleton
class VerificationJobService {

    private static final String BEGIN = """
            UPDATE export.verifications
            SET status = 'Running', started_at = coalesce(started_at, clock_timestamp()), attempts = attempts + 1,
                updated_at = now()
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND status IN ('Created', 'Running')
            RETURNING export_id, files_checked, bytes_checked, rows_in_files, mismatches, mismatches_total, attempts, started_at,
                extract(epoch FROM clock_timestamp() - started_at)::float8 AS age
            """;

    // An attempt that makes progress is the first one again, so a large export survives any number of restarts.
    private static final String RECORD_PROGRESS = """
            UPDATE export.verifications
            SET attempts = CASE WHEN files_checked < $4 THEN 1 ELSE attempts END, files_checked = $4, bytes_checked = $5,
                rows_in_files = $6, mismatches = $7, mismatches_total = $8, updated_at = now()
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND status = 'Running'
            """;

    private static final String RETRY_LATER = """
            UPDATE export.verifications
            SET next_attempt_at = clock_timestamp() + make_interval(secs => $4), lease_until = NULL, lease_owner = NULL,
                updated_at = now()
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND status = 'Running'
            """;

    private static final String FAIL = """
            UPDATE export.verifications
            SET status = 'Failed', error_code = $4, error_message = $5, finished_at = now(), updated_at = now(),
                lease_until = NULL, lease_owner = NULL
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND status = 'Running'
            """;

    private static final String COMPLETE = """
            UPDATE export.verifications
            SET status = 'Completed', files_checked = $4, bytes_checked = $5, rows_in_files = $6, mismatches = $7,
                mismatches_total = $8, rows_counted = $9, rows_encoded = $10, rows_in_manifest = $11, objects_listed = $12,
                intact = $13, receipt = $14, finished_at = now(), updated_at = now(), lease_until = NULL, lease_owner = NULL
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND status = 'Running'
            """;

    private final Database database;
    private final VerificationRepository verifications;
    private final ExportLifecycleService exports;
    // A workspace with many or large exports must not delay the verifications of others.
    private final LeaseTable leases = new LeaseTable("export.verifications", """
            t.status IN ('Created', 'Running') AND t.next_attempt_at <= clock_timestamp()
            AND NOT EXISTS (
                SELECT FROM export.verifications AS other
                WHERE other.tenant_id = t.tenant_id AND other.id <> t.id AND other.status IN ('Created', 'Running')
                    AND other.lease_until >= clock_timestamp())
            """, "t.created_at, t.id");

    VerificationJobService(Database database, VerificationRepository verifications, ExportLifecycleService exports) {
        this.database = database;
        this.verifications = verifications;
        this.exports = exports;
    }

    /** Returns the leases of unfinished verifications; a workspace has one at a time. */
    LeaseTable leases() {
        return leases;
    }

    /** Starts an attempt; fails when the lease is lost. */
    Uni<VerificationTask> begin(Lease lease) {
        return database.inWorkspace(lease.tenantId(), connection -> connection.preparedQuery(BEGIN)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token()))
                .invoke(rows -> lease.requireHeld(rows.rowCount()))
                .map(rows -> rows.iterator().next())
                .chain(row -> expected(connection, lease.tenantId(), row.getUUID("export_id"))
                        .map(export -> task(row, export))));
    }

    private Uni<ExpectedExport> expected(SqlConnection connection, UUID tenantId, UUID exportId) {
        return exports.manifestInput(connection, tenantId, exportId)
                .chain(manifest -> verifications.countRows(connection, tenantId, exportId)
                        .map(rows -> new ExpectedExport(manifest, rows)));
    }

    /** Stores the progress of an attempt, in a transaction of the caller. */
    Uni<Void> recordProgress(SqlConnection connection, Lease lease, Checkpoint checkpoint) {
        return connection.preparedQuery(RECORD_PROGRESS)
                .execute(Tuple.tuple(Arrays.asList(lease.tenantId(), lease.id(), lease.token(), checkpoint.files(),
                        checkpoint.bytes(), checkpoint.rows(), VerificationRows.json(checkpoint.mismatches()),
                        checkpoint.mismatches().total())))
                .invoke(updated -> lease.requireHeld(updated.rowCount()))
                .replaceWithVoid();
    }

    /** Stores the progress of an attempt. */
    Uni<Void> recordProgress(Lease lease, Checkpoint checkpoint) {
        return database.inWorkspace(lease.tenantId(), connection -> recordProgress(connection, lease, checkpoint));
    }

    /** Schedules another attempt after the delay. */
    Uni<Void> retryLater(Lease lease, Duration delay) {
        return update(lease, RETRY_LATER, Tuple.of(lease.tenantId(), lease.id(), lease.token(), delay.toMillis() / 1000.0));
    }

    /** Ends a verification whose objects could not be read. */
    Uni<Void> fail(Lease lease, ExportRunFailure failure) {
        return update(lease, FAIL,
                Tuple.of(lease.tenantId(), lease.id(), lease.token(), failure.code(), failure.message()));
    }

    /** Stores the outcome. */
    Uni<Void> complete(Lease lease, VerificationOutcome outcome, @Nullable Receipt receipt) {
        Checkpoint files = outcome.files();
        return update(lease, COMPLETE, Tuple.tuple(Arrays.asList(lease.tenantId(), lease.id(), lease.token(), files.files(),
                files.bytes(), files.rows(), VerificationRows.json(outcome.mismatches()), outcome.mismatches().total(),
                outcome.rowsCounted(), outcome.rowsEncoded(), outcome.rowsInManifest(), outcome.objectsListed(),
                outcome.isIntact(), VerificationRows.json(receipt))));
    }

    private Uni<Void> update(Lease lease, String sql, Tuple values) {
        return database.inWorkspace(lease.tenantId(), connection -> connection.preparedQuery(sql)
                .execute(values)
                .invoke(updated -> lease.requireHeld(updated.rowCount()))
                .replaceWithVoid());
    }

    private static VerificationTask task(Row row, ExpectedExport export) {
        return new VerificationTask(row.getUUID("export_id"), export, VerificationRows.checkpoint(row),
                row.getInteger("attempts"), row.getOffsetDateTime("started_at").toInstant(),
                Duration.ofMillis((long) (row.getDouble("age") * 1000)));
    }

    /**
     * A claimed verification.
     *
     * @param attempts number of attempts since the checkpoint advanced, with this one
     * @param startedAt when the first attempt began
     * @param age time since then
     */
    record VerificationTask(UUID exportId, ExpectedExport export, Checkpoint checkpoint, int attempts, Instant startedAt,
            Duration age) {
    }
}
