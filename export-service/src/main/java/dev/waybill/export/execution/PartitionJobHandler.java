package dev.waybill.export.execution;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import jakarta.inject.Singleton;

import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.common.job.Job;
import dev.waybill.common.job.JobHandler;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.common.limit.Backoff;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.export.job.ExportLifecycleService;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.AttemptService;
import dev.waybill.export.run.ExportLimitsConfig;
import dev.waybill.export.run.ExportRunFile;
import io.opentelemetry.api.trace.Span;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Claims runs (day partitions of exports), one at a time, round robin, and performs their attempts. */
@Singleton
final class PartitionJobHandler extends JobHandler {

    private final ExportLifecycleService exports;
    private final AttemptService attempts;
    private final RunExecutor executor;
    private final UploadCleanup uploads;
    private final ExecutionMetrics metrics;
    private final Telemetry telemetry;
    private final ChangeRecorder changes;
    private final int maxAttempts;
    private final Backoff backoff;

    PartitionJobHandler(ExportLifecycleService exports, AttemptService attempts, RunExecutor executor, UploadCleanup uploads,
            ExecutionMetrics metrics, Telemetry telemetry, ChangeRecorder changes, ExportLimitsConfig limits,
            ExecutionConfig config) {
        super(attempts.leases(), config.leaseTiming(), config.maxConcurrentRuns(), LogKeys.RUN_ID);
        this.exports = exports;
        this.attempts = attempts;
        this.executor = executor;
        this.uploads = uploads;
        this.metrics = metrics;
        this.telemetry = telemetry;
        this.changes = changes;
        this.maxAttempts = limits.maxAttempts();
        this.backoff = config.backoff();
    }

    @Override
    protected Uni<List<Lease>> claim(SqlConnection connection, String owner, Duration length, int limit) {
        return exports.claimRun(connection, owner, length);
    }

    @Override
    protected Job create(Lease lease) {
        return new PartitionJob(lease);
    }

    /** Releases the run without counting the attempt. */
    @Override
    protected Uni<?> release(SqlConnection connection, Lease lease) {
        return attempts.release(connection, lease);
    }

    /** Performs one attempt of one run under the run's lease. */
    private final class PartitionJob implements Job {

        private final Lease lease;
        private final AttemptProgress progress = new AttemptProgress();
        private final AttemptLog log;
        private volatile @Nullable Attempt current;

        private PartitionJob(Lease lease) {
            this.lease = lease;
            this.log = new AttemptLog(metrics, lease, progress);
        }

        @Override
        public Uni<Void> perform() {
            return attempts.begin(lease)
                    .chain(this::execute)
                    .onFailure(failure -> !(failure instanceof LeaseLostException)).invoke(() -> log.ended("unrecorded"))
                    .onTermination().invoke(this::announce);
        }

        @Override
        public Uni<Void> onLeaseLost() {
            log.ended("lease_lost");
            return abortUploads();
        }

        @Override
        public Uni<Void> beforeRelease() {
            log.ended("given_back");
            return recordUploads()
                    .chain(this::abortUploads);
        }

        @Override
        public Uni<Void> onRenewal(SqlConnection connection) {
            log.reportProgress();
            announce();
            List<ExportRunFile> checkpoints = progress.checkpoints();
            return attempts.recordProgress(connection, lease, progress.totalRows(), progress.totalBytes(),
                    progress.abortableUploads(), checkpoints);
        }

        private Uni<Void> execute(Attempt attempt) {
            current = attempt;
            announce();
            MDC.put(LogKeys.EXPORT_ID, attempt.exportId().toString());
            MDC.put(LogKeys.ATTEMPT, String.valueOf(attempt.number()));
            Span span = telemetry.startLinkedSpan("export run", attempt.traceParent());
            log.started(attempt, span);
            return telemetry.inSpan(span, () -> executeInSpan(attempt));
        }

        private void announce() {
            Attempt attempt = current;
            if (attempt != null) {
                changes.ofExport(lease.tenantId(), attempt.exportId());
            }
        }

        private Uni<Void> executeInSpan(Attempt attempt) {
            // Lost workers used up all attempts.
            if (attempt.number() > maxAttempts) {
                return handleFailure(attempt, AttemptFailure.workersLost(), null);
            }
            return Uni.createFrom().deferred(() -> executor.execute(attempt, progress))
                    .invoke(() -> log.ended("completed"))
                    .onFailure(failure -> !(failure instanceof LeaseLostException))
                    .recoverWithUni(thrown -> handleFailure(attempt, AttemptFailure.from(thrown), thrown));
        }

        /**
         * Stores the error and schedules a retry, from the commit record or from the first row; or fails the run and its
         * export.
         */
        private Uni<Void> handleFailure(Attempt attempt, AttemptFailure failure, @Nullable Throwable thrown) {
            boolean isLast = failure.isPermanent() || attempt.number() >= maxAttempts
                    || failure.isUploadGone() && attempt.restarted();
            log.failed(failure, isLast, thrown);
            return recordUploads()
                    .chain(this::abortUploads)
                    .chain(() -> isLast
                            ? exports.failRun(attempt, failure.error())
                            : scheduleRetry(attempt, failure));
        }

        private Uni<Void> scheduleRetry(Attempt attempt, AttemptFailure failure) {
            Duration delay = backoff.delay(attempt.number(), ThreadLocalRandom.current().nextDouble());
            return failure.needsRestart()
                    ? attempts.restart(lease, failure.error(), delay)
                    : attempts.retryLater(lease, failure.error(), delay);
        }

        /** Stores the open uploads, and the files after which the next attempt continues. */
        private Uni<Void> recordUploads() {
            return attempts.recordUploads(lease, progress.uploads(), progress.checkpoints());
        }

        private Uni<Void> abortUploads() {
            Attempt attempt = current;
            return attempt == null ? Uni.createFrom().voidItem() : uploads.abort(attempt, progress.abortableUploads());
        }
    }
}
