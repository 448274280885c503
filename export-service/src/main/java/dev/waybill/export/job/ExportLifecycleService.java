package dev.waybill.export.job;

import java.time.Duration;
import java.util.List;

import jakarta.inject.Singleton;

import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.database.Database;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseTable;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.AttemptService;
import dev.waybill.export.run.ExportLimits;
import dev.waybill.export.run.ExportRunService;
import dev.waybill.export.run.RunFailure;
import dev.waybill.export.run.RunState;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Claims, completes, fails and times out exports. Every change locks the export before its runs, so that concurrent
 * cancellation, completion, failure and timeout are serialized and the first one wins.
 */
@Singleton
public class ExportLifecycleService {

    private final Database database;
    private final ExportLifecycleRepository lifecycle;
    private final BulkExportRepository exports;
    private final ExportRunService runs;
    private final AttemptService attempts;
    private final ExportLimits limits;
    private final LeaseTable leases = new LeaseTable("export.bulk_exports", """
            t.status = 'Running' AND t.next_attempt_at <= clock_timestamp()
            AND NOT EXISTS (
                SELECT FROM export.runs AS r
                WHERE r.tenant_id = t.tenant_id AND r.export_id = t.id
                    AND r.state IN ('Created', 'Running', 'Committing'))
            """, "t.created_at, t.id");

    ExportLifecycleService(Database database, ExportLifecycleRepository lifecycle, BulkExportRepository exports,
            ExportRunService runs,
            AttemptService attempts, ExportLimits limits) {
        this.database = database;
        this.lifecycle = lifecycle;
        this.exports = exports;
        this.runs = runs;
        this.attempts = attempts;
        this.limits = limits;
    }

    /** Returns the leases of exports whose manifest is due. */
    public LeaseTable leases() {
        return leases;
    }

    /** Starts waiting exports, up to the limit of each workspace, and claims the next due run. */
    public Uni<List<Lease>> claimRun(SqlConnection connection, String owner, Duration lease) {
        return lifecycle.lockQueue(connection)
                .chain(() -> lifecycle.admit(connection, limits.runningExports()))
                .chain(() -> attempts.claimNext(connection, owner, lease));
    }

    /** Returns the number and age of waiting exports of all workspaces. */
    public Uni<QueueState> queueState() {
        return database.everyWorkspace(lifecycle::queueState);
    }

    /** Returns the content of the manifest of a claimed export. */
    public Uni<ManifestInput> manifestInput(Lease lease) {
        return database.inWorkspace(lease.tenantId(), connection -> lifecycle.manifestInput(connection, lease));
    }

    /** Completes the export after its manifest was written; fails when the lease is lost. */
    public Uni<Void> complete(Lease lease) {
        return database.inWorkspace(lease.tenantId(),
                connection -> lifecycle.end(connection, lease, BulkExportStatus.COMPLETED));
    }

    /** Schedules another attempt to write the manifest after the delay. */
    public Uni<Void> retryLater(Lease lease, Duration delay) {
        return database.inWorkspace(lease.tenantId(), connection -> lifecycle.retryLater(connection, lease, delay));
    }

    /** Fails the export because its manifest cannot be written; fails itself when the lease is lost. */
    public Uni<Void> fail(Lease lease, RunFailure failure) {
        return database.inWorkspace(lease.tenantId(),
                connection -> lifecycle.end(connection, lease, BulkExportStatus.FAILED)
                        .chain(() -> lifecycle.recordFailure(connection, lease.tenantId(), lease.id(), failure)));
    }

    /** Returns whether the export has ended with a status other than Completed. */
    public Uni<Boolean> hasEndedUncompleted(Lease lease) {
        return database.inWorkspace(lease.tenantId(),
                connection -> exports.require(connection, lease.tenantId(), lease.id()))
                .map(export -> export.status().isFinal() && export.status() != BulkExportStatus.COMPLETED);
    }

    /** Fails a run and its export, and cancels the other runs of the export. */
    public Uni<Void> failRun(Attempt attempt, RunFailure failure) {
        Lease lease = attempt.lease();
        return database.inWorkspace(lease.tenantId(),
                connection -> exports.lock(connection, lease.tenantId(), attempt.exportId())
                        .chain(() -> attempts.fail(connection, lease, failure))
                        .chain(() -> exports.end(connection, lease.tenantId(), attempt.exportId(), BulkExportStatus.FAILED))
                        .chain(() -> lifecycle.recordFailure(connection, lease.tenantId(), attempt.exportId(), failure))
                        .chain(() -> runs.endUnfinished(connection, lease.tenantId(), attempt.exportId(),
                                RunState.CANCELLED)));
    }

    /** Ends the exports that exceed their maximum duration, also those without a worker. */
    @Scheduled(identity = "export-timeouts", every = "{waybill.export.execution.cleanup-interval}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    public Uni<Void> timeOut() {
        return database.everyWorkspace(
                connection -> lifecycle.overdue(connection, limits.exportTimeout(), limits.runTimeout()))
                .onItem().transformToMulti(overdue -> Multi.createFrom().iterable(overdue))
                .onItem().transformToUniAndConcatenate(this::timeOut)
                .collect().last();
    }

    private Uni<Void> timeOut(ExportLifecycleRepository.Overdue overdue) {
        return database.inWorkspace(overdue.tenantId(),
                connection -> exports.lock(connection, overdue.tenantId(), overdue.exportId())
                        .chain(() -> timeOut(connection, overdue)));
    }

    private Uni<Void> timeOut(SqlConnection connection, ExportLifecycleRepository.Overdue overdue) {
        return exports.end(connection, overdue.tenantId(), overdue.exportId(), BulkExportStatus.TIMED_OUT)
                .chain(ended -> ended
                        ? runs.endUnfinished(connection, overdue.tenantId(), overdue.exportId(), RunState.TIMED_OUT)
                        : Uni.createFrom().voidItem());
    }
}
