package dev.waybill.export.execution;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.lease.Lease;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.telemetry.SpanKeys;
import dev.waybill.export.run.Attempt;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;

/** Tells of one attempt, in one line of the log and in the metrics, when it ends. */
final class AttemptLog {

    private static final Logger LOG = Logger.getLogger(AttemptLog.class);
    private static final String NONE = "none";

    private final ExecutionMetrics metrics;
    private final Lease lease;
    private final AttemptProgress progress;
    private final long startedAt = System.nanoTime();
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile @Nullable Attempt attempt;
    private volatile Span span = Span.getInvalid();
    private long rowsTold;
    private long bytesTold;

    AttemptLog(ExecutionMetrics metrics, Lease lease, AttemptProgress progress) {
        this.metrics = metrics;
        this.lease = lease;
        this.progress = progress;
    }

    void begun(Attempt begun, Span as) {
        attempt = begun;
        span = as.setAttribute(SpanKeys.TENANT_ID, lease.tenantId().toString())
                .setAttribute(SpanKeys.EXPORT_ID, begun.exportId().toString())
                .setAttribute(SpanKeys.RUN_ID, lease.id().toString())
                .setAttribute(SpanKeys.ATTEMPT, (long) begun.number());
    }

    /** Counts what was written since the last time: rates move while a run is under way. */
    synchronized void progressed() {
        long rows = progress.rows();
        long bytes = progress.bytes();
        metrics.written(rows - rowsTold, bytes - bytesTold);
        rowsTold = rows;
        bytesTold = bytes;
    }

    /** It ended without a failure of its own. */
    void ended(String outcome) {
        if (told.compareAndSet(false, true)) {
            progressed();
            metrics.attemptEnded(outcome, NONE);
            span.setAttribute(SpanKeys.OUTCOME, outcome).setAttribute(SpanKeys.ROWS, progress.rows());
            LOG.logf(level(), "an attempt at a run ended: %s", values(outcome, NONE));
        }
    }

    /** It failed; {@code isLast} says whether for good. */
    void failed(Failure failure, boolean isLast, @Nullable Throwable thrown) {
        if (told.compareAndSet(false, true)) {
            String outcome = isLast ? "failed" : "retry";
            progressed();
            metrics.attemptEnded(outcome, failure.told().code());
            span.setAttribute(SpanKeys.OUTCOME, outcome).setAttribute(SpanKeys.ERROR, failure.told().code())
                    .setStatus(StatusCode.ERROR);
            LOG.warnf(thrown, "an attempt at a run ended: %s", values(outcome, failure.told().code()));
        }
    }

    /** A day that is exported at once is the rule, and there are thousands of them in an hour. */
    private Logger.Level level() {
        Attempt known = attempt;
        return known != null && known.number() == 1 ? Logger.Level.DEBUG : Logger.Level.INFO;
    }

    private String values(String outcome, String code) {
        Attempt known = attempt;
        return String.format(Locale.ROOT, "%s=%s %s=%s %s=%s %s=%s outcome=%s code=%s rows=%d bytes=%d seconds=%.3f",
                LogKeys.TENANT_ID, lease.tenantId(), LogKeys.EXPORT_ID, known == null ? "?" : known.exportId(),
                LogKeys.RUN_ID, lease.id(), LogKeys.ATTEMPT, known == null ? "?" : known.number(), outcome, code,
                progress.rows(), progress.bytes(), (System.nanoTime() - startedAt) / (double) TimeUnit.SECONDS.toNanos(1));
    }
}
