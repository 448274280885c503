package dev.waybill.export.execution;

import java.util.List;
import java.util.Map;

import jakarta.inject.Singleton;

import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseHeartbeat;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.common.job.LeaseTiming;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.logging.LoggingContext;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.AttemptService;
import dev.waybill.export.run.RunFile;
import io.opentelemetry.api.trace.Span;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Performs one attempt of one run (a day partition of an export) under the run's lease. */
final class PartitionJob implements Job {

    private final Factory factory;
    private final AttemptService attempts;
    private final FailureHandler failures;
    private final Lease lease;
    private final AttemptProgress progress = new AttemptProgress();
    private final AttemptLog log;
    private volatile @Nullable Attempt current;

    private PartitionJob(Factory factory, Lease lease) {
        this.factory = factory;
        this.attempts = factory.attempts;
        this.failures = factory.failures;
        this.lease = lease;
        this.log = new AttemptLog(factory.metrics, lease, progress);
    }

    @Override
    public Uni<Void> perform() {
        return factory.loggingContext.withIds(
                Map.of(LogKeys.TENANT_ID, lease.tenantId().toString(), LogKeys.RUN_ID, lease.id().toString()),
                this::performWithHeartbeat);
    }

    private Uni<Void> performWithHeartbeat() {
        return factory.heartbeat.whileHeld(attempts.leases(), lease, factory.timing, this::recordProgress,
                held -> attempts.begin(held).chain(this::execute))
                .onFailure(LeaseLostException.class).call(this::stopAfterLeaseLoss)
                .onFailure(LeaseLostException.class).recoverWithNull()
                .onFailure().invoke(() -> log.ended("unrecorded"));
    }

    @Override
    public Uni<Void> release() {
        log.ended("given_back");
        return failures.recordUploads(lease, progress)
                .chain(this::abortUploads)
                .chain(() -> failures.release(lease))
                .onFailure(LeaseLostException.class).recoverWithNull();
    }

    private Uni<Void> recordProgress(SqlConnection connection) {
        log.reportProgress();
        List<RunFile> checkpoints = progress.checkpoints();
        return attempts.recordProgress(connection, lease, progress.totalRows(), progress.totalBytes(),
                progress.abortableUploads(), checkpoints);
    }

    private Uni<Void> execute(Attempt attempt) {
        current = attempt;
        MDC.put(LogKeys.EXPORT_ID, attempt.exportId().toString());
        MDC.put(LogKeys.ATTEMPT, String.valueOf(attempt.number()));
        Span span = factory.telemetry.startLinkedSpan("export run", attempt.traceParent());
        log.started(attempt, span);
        return factory.telemetry.inSpan(span, () -> executeInSpan(attempt));
    }

    private Uni<Void> executeInSpan(Attempt attempt) {
        if (failures.hasExceededMaxAttempts(attempt)) {
            return handleFailure(attempt, AttemptFailure.workersLost(), null);
        }
        return Uni.createFrom().deferred(() -> factory.executor.execute(attempt, progress))
                .invoke(() -> log.ended("completed"))
                .onFailure(failure -> !(failure instanceof LeaseLostException))
                .recoverWithUni(thrown -> handleFailure(attempt, AttemptFailure.from(thrown), thrown));
    }

    private Uni<Void> handleFailure(Attempt attempt, AttemptFailure failure, @Nullable Throwable thrown) {
        log.failed(failure, failures.isLast(attempt, failure), thrown);
        return failures.handle(attempt, progress, failure);
    }

    /** Aborts the uploads. Another worker holds the run or it has ended, so that nothing may be stored. */
    private Uni<Void> stopAfterLeaseLoss() {
        log.ended("lease_lost");
        return abortUploads();
    }

    private Uni<Void> abortUploads() {
        Attempt attempt = current;
        return attempt == null ? Uni.createFrom().voidItem() : failures.abortUploads(attempt, progress);
    }

    /** Creates the job of a claimed run. */
    @Singleton
    static final class Factory {

        private final LeaseHeartbeat heartbeat;
        private final AttemptService attempts;
        private final RunExecutor executor;
        private final FailureHandler failures;
        private final ExecutionMetrics metrics;
        private final Telemetry telemetry;
        private final LoggingContext loggingContext;
        private final LeaseTiming timing;

        Factory(LeaseHeartbeat heartbeat, AttemptService attempts, RunExecutor executor, FailureHandler failures,
                ExecutionMetrics metrics, Telemetry telemetry, LoggingContext loggingContext, ExecutionConfig config) {
            this.heartbeat = heartbeat;
            this.attempts = attempts;
            this.executor = executor;
            this.failures = failures;
            this.metrics = metrics;
            this.telemetry = telemetry;
            this.loggingContext = loggingContext;
            this.timing = config.leaseTiming();
        }

        Job create(Lease lease) {
            return new PartitionJob(this, lease);
        }
    }
}
