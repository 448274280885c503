package dev.waybill.export.run;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import dev.waybill.common.lease.Lease;
import dev.waybill.common.lease.LeaseLostException;
import dev.waybill.common.lease.LeaseTable;
import dev.waybill.export.trace.Snapshot;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * What workers do with runs: claim, begin, commit, complete, let go. Whatever a worker writes after its lease was lost fails
 * with {@link LeaseLostException} and changes nothing.
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

    /** The leases of runs, for whoever keeps one. */
    public LeaseTable leases() {
        return queue.leases();
    }

    /** Claims the run whose turn it is, in a transaction that sees every workspace; empty when none is due. */
    public Uni<List<Lease>> claimNext(SqlConnection connection, String owner, Duration lease) {
        return queue.claimNext(connection, owner, lease);
    }

    /**
     * Begins a run that was claimed: from here on its time is running.
     *
     * @return what there is to do
     */
    public Uni<Attempt> begin(Lease lease) {
        return database.inWorkspace(lease.tenantId(), connection -> attempts.begin(connection, lease)
                .chain(() -> attempts.load(connection, lease)));
    }

    /** Notes rows and bytes so far, open uploads and files that are whole, in the transaction that renewed the lease. */
    public Uni<Void> note(SqlConnection connection, Lease lease, long rows, long bytes, Map<String, String> keysByUploadId,
            List<RunFile> checkpoints) {
        return attempts.note(connection, lease, rows, bytes)
                .chain(() -> attempts.recordUploads(connection, lease, keysByUploadId))
                .chain(() -> attempts.recordCheckpoints(connection, lease, checkpoints));
    }

    /**
     * Records uploads that are open, for whoever will have to abort them, and files that are whole, while the lease is held.
     */
    public Uni<Void> record(Lease lease, Map<String, String> keysByUploadId, List<RunFile> checkpoints) {
        return database.inWorkspace(lease.tenantId(),
                connection -> attempts.recordUploads(connection, lease, keysByUploadId)
                        .chain(() -> attempts.recordCheckpoints(connection, lease, checkpoints)));
    }

    /**
     * Writes the commit record: all parts of these files are in the store, and from here on recovery completes them.
     *
     * @param seen of the traces, so that what was stored later can be told from what the files hold
     */
    public Uni<Void> commit(Lease lease, List<RunFile> files, Snapshot seen) {
        return database.inWorkspace(lease.tenantId(), connection -> attempts.commit(connection, lease, files, seen));
    }

    /** The run found no rows in what it saw of the traces. */
    public Uni<Void> completeEmpty(Lease lease, Snapshot seen) {
        return database.inWorkspace(lease.tenantId(), connection -> attempts.noteSnapshot(connection, lease, seen)
                .chain(() -> attempts.complete(connection, lease, List.of())));
    }

    /**
     * The run's files are all visible.
     *
     * @param verified the keys of those whose size in the store was compared
     */
    public Uni<Void> complete(Lease lease, List<String> verified) {
        return database.inWorkspace(lease.tenantId(), connection -> attempts.complete(connection, lease, verified));
    }

    /** Notes what went wrong and lets the run go; it is tried again after the pause, where it stopped. */
    public Uni<Void> tryLater(Lease lease, RunFailure failure, Duration pause) {
        return database.inWorkspace(lease.tenantId(), connection -> attempts.noteError(connection, lease, failure)
                .chain(() -> attempts.tryLater(connection, lease, pause, false)));
    }

    /** As {@link #tryLater}, but from the start: what earlier attempts uploaded cannot be used. */
    public Uni<Void> startOver(Lease lease, RunFailure failure, Duration pause) {
        return database.inWorkspace(lease.tenantId(), connection -> attempts.noteError(connection, lease, failure)
                .chain(() -> attempts.tryLater(connection, lease, pause, true))
                .chain(() -> attempts.forgetFiles(connection, lease)));
    }

    /** Fails the run for good; whoever calls fails the export in the same transaction. */
    public Uni<Void> fail(SqlConnection connection, Lease lease, RunFailure failure) {
        // That workers were lost is found out by an attempt that does nothing, and counts for nothing.
        Uni<Void> counted = failure.equals(RunFailure.WORKER_LOST)
                ? attempts.giveBack(connection, lease)
                : Uni.createFrom().voidItem();
        return counted
                .chain(() -> attempts.noteError(connection, lease, failure))
                .chain(() -> attempts.end(connection, lease, RunState.FAILED));
    }

    /** Lets go of a run that nothing was wrong with, so that another worker can take it at once. */
    public Uni<Void> giveBack(Lease lease) {
        return database.inWorkspace(lease.tenantId(), connection -> attempts.giveBack(connection, lease));
    }
}
