package dev.waybill.export.execution;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.lease.Lease;
import dev.waybill.export.run.Attempt;

/** Tells of one attempt, in one line of the log and in the metrics, when it ends. */
final class AttemptLog {

    private static final Logger LOG = Logger.getLogger(AttemptLog.class);

    private final ExecutionMetrics metrics;
    private final Lease lease;
    private final AttemptProgress progress;
    private final long startedAt = System.nanoTime();
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile @Nullable Attempt attempt;

    AttemptLog(ExecutionMetrics metrics, Lease lease, AttemptProgress progress) {
        this.metrics = metrics;
        this.lease = lease;
        this.progress = progress;
    }

    void begun(Attempt begun) {
        attempt = begun;
    }

    /** It ended without a failure of its own. */
    void ended(String outcome) {
        if (told.compareAndSet(false, true)) {
            metrics.attemptEnded(outcome);
            LOG.infof("an attempt at a run ended: %s", values(outcome));
        }
    }

    /** The run is completed. */
    void completed() {
        metrics.exported(progress.rows(), progress.bytes());
        ended("completed");
    }

    /** It failed; {@code isLast} says whether for good. */
    void failed(Failure failure, boolean isLast, Throwable thrown) {
        if (told.compareAndSet(false, true)) {
            String outcome = isLast ? "failed" : "retry";
            metrics.attemptEnded(outcome);
            metrics.failed(failure.told().code());
            LOG.warnf(thrown, "an attempt at a run failed: %s code=%s", values(outcome), failure.told().code());
        }
    }

    private String values(String outcome) {
        Attempt known = attempt;
        return "tenant_id=%s export_id=%s run_id=%s attempt=%s outcome=%s rows=%d bytes=%d millis=%d".formatted(
                lease.tenantId(), known == null ? "?" : known.exportId(), lease.id(), known == null ? "?" : known.number(),
                outcome, progress.rows(), progress.bytes(), Duration.ofNanos(System.nanoTime() - startedAt).toMillis());
    }
}
