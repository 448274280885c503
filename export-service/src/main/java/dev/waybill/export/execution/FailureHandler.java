package dev.waybill.export.execution;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import jakarta.inject.Singleton;

import dev.waybill.common.job.Lease;
import dev.waybill.common.limit.Backoff;
import dev.waybill.export.job.ExportLifecycleService;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.AttemptService;
import dev.waybill.export.run.ExportLimits;
import io.smallrye.mutiny.Uni;

/** Handles attempts that did not complete their run: schedules a retry or fails the export, and aborts uploads. */
@Singleton
class FailureHandler {

    private final AttemptService attempts;
    private final ExportLifecycleService exports;
    private final UploadCleanup uploads;
    private final int maxAttempts;
    private final Backoff backoff;

    FailureHandler(AttemptService attempts, ExportLifecycleService exports, UploadCleanup uploads, ExportLimits limits,
            ExecutionConfig config) {
        this.attempts = attempts;
        this.exports = exports;
        this.uploads = uploads;
        this.maxAttempts = limits.maxAttempts();
        this.backoff = config.backoff();
    }

    /**
     * Stores the error and schedules a retry, from the commit record or from the first row; or fails the run and its export.
     */
    Uni<Void> handle(Attempt attempt, AttemptProgress progress, AttemptFailure failure) {
        return recordUploads(attempt.lease(), progress)
                .chain(() -> abortUploads(attempt, progress))
                .chain(() -> isLast(attempt, failure)
                        ? exports.failRun(attempt, failure.error())
                        : scheduleRetry(attempt, failure));
    }

    /** Stores the open uploads of the attempt, and the files after which the next attempt continues. */
    Uni<Void> recordUploads(Lease lease, AttemptProgress progress) {
        return attempts.recordUploads(lease, progress.uploads(), progress.checkpoints());
    }

    /** Returns whether no further attempt follows this failure. */
    boolean isLast(Attempt attempt, AttemptFailure failure) {
        return failure.isPermanent() || attempt.number() >= maxAttempts
                || failure.isUploadGone() && attempt.restarted();
    }

    /** Returns whether lost workers have used up all attempts of the run. */
    boolean hasExceededMaxAttempts(Attempt attempt) {
        return attempt.number() > maxAttempts;
    }

    /** Aborts the uploads of a stopped attempt. */
    Uni<Void> abortUploads(Attempt attempt, AttemptProgress progress) {
        return uploads.abort(attempt, progress.abortableUploads());
    }

    private Uni<Void> scheduleRetry(Attempt attempt, AttemptFailure failure) {
        Duration delay = backoff.delay(attempt.number(), ThreadLocalRandom.current().nextDouble());
        return failure.needsRestart()
                ? attempts.restart(attempt.lease(), failure.error(), delay)
                : attempts.retryLater(attempt.lease(), failure.error(), delay);
    }
}
