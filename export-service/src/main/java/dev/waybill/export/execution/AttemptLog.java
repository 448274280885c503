package dev.waybill.export.execution;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.job.Lease;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.telemetry.SpanKeys;
import dev.waybill.export.run.Attempt;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;

/** Logs the result of one attempt in one line and records it in the metrics and the span. */
final class AttemptLog {

    private static final Logger LOG = Logger.getLogger(AttemptLog.class);
    private static final String NONE = "none";

    private final ExecutionMetrics metrics;
    private final Lease lease;
    private final AttemptProgress progress;
    private final long startedAt = System.nanoTime();
    private final AtomicBoolean logged = new AtomicBoolean();
    private volatile @Nullable Attempt attempt;
    private volatile Span span = Span.getInvalid();
    private long reportedRows;
    private long reportedBytes;

    AttemptLog(ExecutionMetrics metrics, Lease lease, AttemptProgress progress) {
        this.metrics = metrics;
        this.lease = lease;
        this.progress = progress;
    }

    void started(Attempt started, Span attemptSpan) {
        attempt = started;
        span = attemptSpan.setAttribute(SpanKeys.TENANT_ID, lease.tenantId().toString())
                .setAttribute(SpanKeys.EXPORT_ID, started.exportId().toString())
                .setAttribute(SpanKeys.RUN_ID, lease.id().toString())
                .setAttribute(SpanKeys.ATTEMPT, (long) started.number());
    }

    /** Adds the rows and bytes written since the last call to the metrics, so that rates are current during an attempt. */
    synchronized void reportProgress() {
        long rows = progress.rows();
        long bytes = progress.bytes();
        metrics.addWritten(rows - reportedRows, bytes - reportedBytes);
        reportedRows = rows;
        reportedBytes = bytes;
    }

    /** Logs an attempt that ended without a failure. */
    void ended(String outcome) {
        if (logged.compareAndSet(false, true)) {
            reportProgress();
            metrics.attemptEnded(outcome, NONE);
            span.setAttribute(SpanKeys.OUTCOME, outcome).setAttribute(SpanKeys.ROWS, progress.rows());
            LOG.logf(level(), "attempt ended: %s", keyValues(outcome, NONE));
        }
    }

    /** Logs a failed attempt; {@code isLast} is whether no retry follows. */
    void failed(AttemptFailure failure, boolean isLast, @Nullable Throwable thrown) {
        if (logged.compareAndSet(false, true)) {
            String outcome = isLast ? "failed" : "retry";
            reportProgress();
            metrics.attemptEnded(outcome, failure.error().code());
            span.setAttribute(SpanKeys.OUTCOME, outcome).setAttribute(SpanKeys.ERROR, failure.error().code())
                    .setStatus(StatusCode.ERROR);
            LOG.warnf(thrown, "attempt ended: %s", keyValues(outcome, failure.error().code()));
        }
    }

    /** Returns DEBUG for first attempts: thousands of them succeed in an hour. */
    private Logger.Level level() {
        Attempt current = attempt;
        return current != null && current.number() == 1 ? Logger.Level.DEBUG : Logger.Level.INFO;
    }

    private String keyValues(String outcome, String code) {
        Attempt current = attempt;
        return String.format(Locale.ROOT, "%s=%s %s=%s %s=%s %s=%s outcome=%s code=%s rows=%d bytes=%d seconds=%.3f",
                LogKeys.TENANT_ID, lease.tenantId(), LogKeys.EXPORT_ID, current == null ? "?" : current.exportId(),
                LogKeys.RUN_ID, lease.id(), LogKeys.ATTEMPT, current == null ? "?" : current.number(), outcome, code,
                progress.rows(), progress.bytes(), (System.nanoTime() - startedAt) / (double) TimeUnit.SECONDS.toNanos(1));
    }
}
