package dev.waybill.export.execution;

import java.util.List;
import java.util.Map;

import jakarta.inject.Singleton;

import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.lease.Lease;
import dev.waybill.common.lease.LeaseHeartbeat;
import dev.waybill.common.lease.LeaseLostException;
import dev.waybill.common.lease.LeaseTiming;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.logging.LoggingContext;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.AttemptService;
import dev.waybill.export.run.RunFile;
import io.opentelemetry.api.trace.Span;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** One attempt at one run, under its lease from beginning to end. */
final class RunWork implements Work {

    private final Surroundings surroundings;
    private final LeaseHeartbeat keeper;
    private final AttemptService attempts;
    private final RunExecutor executor;
    private final Settlement settlement;
    private final LeaseTiming timing;
    private final Lease lease;
    private final AttemptProgress progress = new AttemptProgress();
    private final AttemptLog log;
    private volatile @Nullable Attempt begun;

    private RunWork(Maker maker, Lease lease) {
        this.surroundings = maker.surroundings;
        this.keeper = maker.keeper;
        this.attempts = maker.attempts;
        this.executor = maker.executor;
        this.settlement = maker.settlement;
        this.timing = maker.timing;
        this.lease = lease;
        this.log = new AttemptLog(maker.surroundings.metrics(), lease, progress);
    }

    @Override
    public Uni<Void> perform() {
        return surroundings.lines().withIds(
                Map.of(LogKeys.TENANT_ID, lease.tenantId().toString(), LogKeys.RUN_ID, lease.id().toString()),
                this::performHere);
    }

    private Uni<Void> performHere() {
        return keeper.whileHeld(attempts.leases(), lease, timing, this::note,
                held -> attempts.begin(held).chain(this::execute))
                .onFailure(LeaseLostException.class).call(this::withdraw)
                .onFailure(LeaseLostException.class).recoverWithNull()
                .onFailure().invoke(() -> log.ended("unrecorded"));
    }

    @Override
    public Uni<Void> giveBack() {
        log.ended("given_back");
        return settlement.record(lease, progress)
                .chain(this::clearUp)
                .chain(() -> settlement.giveBack(lease))
                .onFailure(LeaseLostException.class).recoverWithNull();
    }

    private Uni<Void> note(SqlConnection connection) {
        log.progressed();
        List<RunFile> checkpoints = progress.checkpoints();
        return attempts.note(connection, lease, progress.rowsInAll(), progress.bytesInAll(), progress.abortableUploads(),
                checkpoints);
    }

    private Uni<Void> execute(Attempt attempt) {
        begun = attempt;
        MDC.put(LogKeys.EXPORT_ID, attempt.exportId().toString());
        MDC.put(LogKeys.ATTEMPT, String.valueOf(attempt.number()));
        Span span = surroundings.telemetry().startLinkedSpan("export run", attempt.traceParent());
        log.begun(attempt, span);
        return surroundings.telemetry().inSpan(span, () -> executeHere(attempt));
    }

    private Uni<Void> executeHere(Attempt attempt) {
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

    /** Where it is told how an attempt goes. */
    @Singleton
    record Surroundings(ExecutionMetrics metrics, Telemetry telemetry, LoggingContext lines) {
    }

    /** Makes the work of a claimed run; holds what every one of them needs. */
    @Singleton
    static final class Maker {

        private final LeaseHeartbeat keeper;
        private final AttemptService attempts;
        private final RunExecutor executor;
        private final Settlement settlement;
        private final Surroundings surroundings;
        private final LeaseTiming timing;

        Maker(LeaseHeartbeat keeper, AttemptService attempts, RunExecutor executor, Settlement settlement,
                Surroundings surroundings, ExecutionConfig config) {
            this.keeper = keeper;
            this.attempts = attempts;
            this.executor = executor;
            this.settlement = settlement;
            this.surroundings = surroundings;
            this.timing = config.leaseTiming();
        }

        Work of(Lease lease) {
            return new RunWork(this, lease);
        }
    }
}
