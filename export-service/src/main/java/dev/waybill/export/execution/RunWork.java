package dev.waybill.export.execution;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.lease.Lease;
import dev.waybill.common.lease.LeaseKeeper;
import dev.waybill.common.lease.LeaseLostException;
import dev.waybill.common.lease.LeaseTiming;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.AttemptService;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** One attempt at one run, under its lease from beginning to end. */
final class RunWork implements Work {

    private final LeaseKeeper keeper;
    private final AttemptService attempts;
    private final RunExecutor executor;
    private final Settlement settlement;
    private final LeaseTiming timing;
    private final Lease lease;
    private final AttemptProgress progress = new AttemptProgress();
    private final AttemptLog log;
    private volatile @Nullable Attempt begun;

    private RunWork(Maker maker, Lease lease) {
        this.keeper = maker.keeper;
        this.attempts = maker.attempts;
        this.executor = maker.executor;
        this.settlement = maker.settlement;
        this.timing = maker.timing;
        this.lease = lease;
        this.log = new AttemptLog(maker.metrics, lease, progress);
    }

    @Override
    public Uni<Void> perform() {
        return keeper.whileHeld(attempts.leases(), lease, timing, this::note,
                held -> attempts.begin(held).chain(this::execute))
                .onFailure(LeaseLostException.class).call(this::withdraw)
                .onFailure(LeaseLostException.class).recoverWithNull()
                .onFailure().invoke(() -> log.ended("unrecorded"));
    }

    @Override
    public Uni<Void> giveBack() {
        log.ended("given_back");
        return clearUp()
                .chain(() -> settlement.giveBack(lease))
                .onFailure(LeaseLostException.class).recoverWithNull();
    }

    private Uni<Void> note(SqlConnection connection) {
        log.progressed();
        return attempts.note(connection, lease, progress.rows(), progress.bytes(), progress.abortableUploads());
    }

    private Uni<Void> execute(Attempt attempt) {
        begun = attempt;
        log.begun(attempt);
        if (settlement.isOneTooMany(attempt)) {
            return settle(attempt, Failure.workersLost(), null);
        }
        return Uni.createFrom().deferred(() -> executor.execute(attempt, progress))
                .invoke(() -> log.ended("completed"))
                .onFailure(failure -> !(failure instanceof LeaseLostException))
                .recoverWithUni(thrown -> settle(attempt, Failure.from(thrown), thrown));
    }

    private Uni<Void> settle(Attempt attempt, Failure failure, @Nullable Throwable thrown) {
        log.failed(failure, settlement.isLast(attempt, failure), thrown);
        return settlement.settle(attempt, progress, failure);
    }

    /** The run is another's now, or has ended: nothing is written down any more, only cleared up. */
    private Uni<Void> withdraw() {
        log.ended("lease_lost");
        return clearUp();
    }

    private Uni<Void> clearUp() {
        Attempt attempt = begun;
        return attempt == null ? Uni.createFrom().voidItem() : settlement.clearUp(attempt, progress);
    }

    /** Makes the work of a claimed run; holds what every one of them needs. */
    @Singleton
    static final class Maker {

        private final LeaseKeeper keeper;
        private final AttemptService attempts;
        private final RunExecutor executor;
        private final Settlement settlement;
        private final ExecutionMetrics metrics;
        private final LeaseTiming timing;

        Maker(LeaseKeeper keeper, AttemptService attempts, RunExecutor executor, Settlement settlement,
                ExecutionMetrics metrics, ExecutionConfig config) {
            this.keeper = keeper;
            this.attempts = attempts;
            this.executor = executor;
            this.settlement = settlement;
            this.metrics = metrics;
            this.timing = config.leaseTiming();
        }

        Work of(Lease lease) {
            return new RunWork(this, lease);
        }
    }
}
