package dev.waybill.export.job;

import java.time.Duration;
import java.util.List;

import jakarta.inject.Singleton;

import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.database.Database;
import dev.waybill.common.lease.Lease;
import dev.waybill.common.lease.LeaseTable;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.AttemptService;
import dev.waybill.export.run.ExportLimits;
import dev.waybill.export.run.ExportRunService;
import dev.waybill.export.run.RunFailure;
import dev.waybill.export.run.RunState;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * How exports move on and end. Whoever changes an export and its runs locks the export first, so that cancelling,
 * completing, failing and timing out come one after the other and the first one wins.
 */
@Singleton
public class ExportOutcomeService {

    private final Database database;
    private final OutcomeRepository outcomes;
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

    ExportOutcomeService(Database database, OutcomeRepository outcomes, BulkExportRepository exports, ExportRunService runs,
            AttemptService attempts, ExportLimits limits) {
        this.database = database;
        this.outcomes = outcomes;
        this.exports = exports;
        this.runs = runs;
        this.attempts = attempts;
        this.limits = limits;
    }

    /** The leases of exports, for whoever keeps one. */
    public LeaseTable leases() {
        return leases;
    }

    /**
     * Claims an export that only lacks its manifest or, when there is none, a run that is due: what lacks little comes first.
     */
    public Uni<Claim> claimNext(String owner, Duration lease) {
        return database.everyWorkspace(connection -> leases.claim(connection, owner, lease, 1)
                .chain(finished -> finished.isEmpty()
                        ? claimRun(connection, owner, lease).map(runs -> new Claim(finished, runs))
                        : Uni.createFrom().item(new Claim(finished, List.of()))));
    }

    /** Claims one run that is due, for whoever has enough manifests to write. */
    public Uni<List<Lease>> claimRun(String owner, Duration lease) {
        return database.everyWorkspace(connection -> claimRun(connection, owner, lease));
    }

    // Before, waiting exports begin to run as far as their workspaces may have more.
    private Uni<List<Lease>> claimRun(SqlConnection connection, String owner, Duration lease) {
        return outcomes.takeTurns(connection)
                .chain(() -> outcomes.admit(connection, limits.runningExports()))
                .chain(() -> attempts.claimNext(connection, owner, lease));
    }

    /** How much waits, over all workspaces. */
    public Uni<QueueState> queueState() {
        return database.everyWorkspace(outcomes::queueState);
    }

    /** Claims exports that only lack their manifest, for whoever has runs enough. */
    public Uni<List<Lease>> claimFinished(String owner, Duration lease, int most) {
        return database.everyWorkspace(connection -> leases.claim(connection, owner, lease, most));
    }

    /** What the manifest of a claimed export is made from. */
    public Uni<FinishedExport> finished(Lease lease) {
        return database.inWorkspace(lease.tenantId(), connection -> outcomes.finished(connection, lease));
    }

    /** The manifest is written: the export is completed, if it is still ours. */
    public Uni<Void> complete(Lease lease) {
        return database.inWorkspace(lease.tenantId(),
                connection -> outcomes.end(connection, lease, BulkExportStatus.COMPLETED));
    }

    /** The manifest could not be written; it is tried again after the pause. */
    public Uni<Void> tryLater(Lease lease, Duration pause) {
        return database.inWorkspace(lease.tenantId(), connection -> outcomes.tryLater(connection, lease, pause));
    }

    /** The manifest can not be written: the export has failed, if it is still ours. */
    public Uni<Void> fail(Lease lease, RunFailure failure) {
        return database.inWorkspace(lease.tenantId(),
                connection -> outcomes.end(connection, lease, BulkExportStatus.FAILED)
                        .chain(() -> outcomes.noteFailure(connection, lease.tenantId(), lease.id(), failure)));
    }

    /** Lets go of an export that nothing was wrong with, so that another worker can take it at once. */
    public Uni<Void> giveBack(Lease lease) {
        return database.inWorkspace(lease.tenantId(), connection -> leases.release(connection, lease))
                .replaceWithVoid();
    }

    /** Whether the export ended, and not as completed. */
    public Uni<Boolean> hasEndedOtherwise(Lease lease) {
        return database.inWorkspace(lease.tenantId(),
                connection -> exports.require(connection, lease.tenantId(), lease.id()))
                .map(export -> export.status().isFinal() && export.status() != BulkExportStatus.COMPLETED);
    }

    /** A run has failed for good: it fails its export, and the other runs are not needed any more. */
    public Uni<Void> failRun(Attempt attempt, RunFailure failure) {
        Lease lease = attempt.lease();
        return database.inWorkspace(lease.tenantId(),
                connection -> exports.lock(connection, lease.tenantId(), attempt.exportId())
                        .chain(() -> attempts.fail(connection, lease, failure))
                        .chain(() -> exports.end(connection, lease.tenantId(), attempt.exportId(), BulkExportStatus.FAILED))
                        .chain(() -> outcomes.noteFailure(connection, lease.tenantId(), attempt.exportId(), failure))
                        .chain(() -> runs.endUnfinished(connection, lease.tenantId(), attempt.exportId(),
                                RunState.CANCELLED)));
    }

    /** Ends the exports whose time is over, whether anybody works on them or not. */
    public Uni<Void> timeOut() {
        return database.everyWorkspace(
                connection -> outcomes.overdue(connection, limits.exportTime(), limits.runTime()))
                .onItem().transformToMulti(overdue -> Multi.createFrom().iterable(overdue))
                .onItem().transformToUniAndConcatenate(this::timeOut)
                .collect().last();
    }

    private Uni<Void> timeOut(OutcomeRepository.Overdue overdue) {
        return database.inWorkspace(overdue.tenantId(),
                connection -> exports.lock(connection, overdue.tenantId(), overdue.exportId())
                        .chain(() -> timeOut(connection, overdue)));
    }

    /** What was claimed at once: at most one of both. */
    public record Claim(List<Lease> finished, List<Lease> runs) {
    }

    private Uni<Void> timeOut(SqlConnection connection, OutcomeRepository.Overdue overdue) {
        return exports.end(connection, overdue.tenantId(), overdue.exportId(), BulkExportStatus.TIMED_OUT)
                .chain(ended -> ended
                        ? runs.endUnfinished(connection, overdue.tenantId(), overdue.exportId(), RunState.TIMED_OUT)
                        : Uni.createFrom().voidItem());
    }
}
