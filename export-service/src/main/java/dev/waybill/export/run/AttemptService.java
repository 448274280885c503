package dev.waybill.export.run;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.common.job.LeaseTable;
import dev.waybill.export.trace.Snapshot;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Claims runs and stores the results of attempts. A call whose lease is lost fails with {@link LeaseLostException} and
 * changes nothing.
 */
@Singleton
public class AttemptService {

    private final Database database;
    private final AttemptRepository attempts;
    private final RunQueue queue;

    AttemptService(Database database, AttemptRepository attempts, RunQueue queue) {
        this.database = database;
        this.attempts = attempts;
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

    /**
     * Starts an attempt of a claimed run; the run's timeout starts with its first attempt.
     */
    public Uni<Attempt> begin(Lease lease) {
        return database.inWorkspace(lease.tenantId(), connection -> attempts.begin(connection, lease)
                .chain(() -> attempts.load(connection, lease)));
    }

    /** Stores row and byte counts, open uploads and finished files, in the transaction that renewed the lease. */
    public Uni<Void> recordProgress(SqlConnection connection, Lease lease, long rows, long bytes,
            Map<String, String> keysByUploadId,
            List<RunFile> checkpoints) {
        return attempts.recordProgress(connection, lease, rows, bytes)
                .chain(() -> attempts.recordUploads(connection, lease, keysByUploadId))
                .chain(() -> attempts.recordCheckpoints(connection, lease, checkpoints));
    }

    /**
     * Stores open uploads, for their later cleanup, and finished files, while the lease is held.
     */
    public Uni<Void> recordUploads(Lease lease, Map<String, String> keysByUploadId, List<RunFile> checkpoints) {
        return database.inWorkspace(lease.tenantId(),
                connection -> attempts.recordUploads(connection, lease, keysByUploadId)
                        .chain(() -> attempts.recordCheckpoints(connection, lease, checkpoints)));
    }

    /**
     * Stores the commit record of files whose parts are all uploaded; recovery completes them from now on.
     *
     * @param snapshot the database snapshot that was read, which identifies rows stored later
     */
    public Uni<Void> commit(Lease lease, List<RunFile> files, Snapshot snapshot) {
        return database.inWorkspace(lease.tenantId(), connection -> attempts.commit(connection, lease, files, snapshot));
    }

    /** Completes a run without rows and stores the snapshot that was read. */
    public Uni<Void> completeEmpty(Lease lease, Snapshot snapshot) {
        return database.inWorkspace(lease.tenantId(), connection -> attempts.recordSnapshot(connection, lease, snapshot)
                .chain(() -> attempts.complete(connection, lease, List.of())));
    }

    /**
     * Completes a run whose files are all visible.
     *
     * @param verified keys of the files whose size in the store was verified
     */
    public Uni<Void> complete(Lease lease, List<String> verified) {
        return database.inWorkspace(lease.tenantId(), connection -> attempts.complete(connection, lease, verified));
    }

    /** Stores the error and releases the run; the next attempt continues after the delay. */
    public Uni<Void> retryLater(Lease lease, RunFailure failure, Duration delay) {
        return database.inWorkspace(lease.tenantId(), connection -> attempts.recordError(connection, lease, failure)
                .chain(() -> attempts.retryLater(connection, lease, delay, false)));
    }

    /** Stores the error and releases the run; the next attempt restarts from the first row, as the uploads are unusable. */
    public Uni<Void> restart(Lease lease, RunFailure failure, Duration delay) {
        return database.inWorkspace(lease.tenantId(), connection -> attempts.recordError(connection, lease, failure)
                .chain(() -> attempts.retryLater(connection, lease, delay, true))
                .chain(() -> attempts.deleteFiles(connection, lease)));
    }

    /** Fails the run; the caller fails the export in the same transaction. */
    public Uni<Void> fail(SqlConnection connection, Lease lease, RunFailure failure) {
        // The attempt that detects lost workers does no work, so it does not count.
        Uni<Void> counted = failure.equals(RunFailure.WORKER_LOST)
                ? attempts.release(connection, lease)
                : Uni.createFrom().voidItem();
        return counted
                .chain(() -> attempts.recordError(connection, lease, failure))
                .chain(() -> attempts.end(connection, lease, RunState.FAILED));
    }

    /** Releases the lease of a run without counting the attempt, so that another worker can claim it immediately. */
    public Uni<Void> release(SqlConnection connection, Lease lease) {
        return attempts.release(connection, lease);
    }
}
