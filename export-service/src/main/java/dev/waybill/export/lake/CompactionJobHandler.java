package dev.waybill.export.lake;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.job.Job;
import dev.waybill.common.job.JobHandler;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.common.limit.Backoff;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.export.execution.AttemptFailure;
import dev.waybill.export.execution.ExecutionConfig;
import dev.waybill.export.lake.CompactedDay.LakeFile;
import dev.waybill.export.lake.CrashPoint.Step;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Claims compactions and performs them: waits for the barrier, writes the files of the day, makes them visible in the bucket
 * and
 * records them. Failed attempts are retried without a limit, because nothing else replaces an invalid day.
 */
@Singleton
final class CompactionJobHandler extends JobHandler {

    private static final Logger LOG = Logger.getLogger(CompactionJobHandler.class);
    // Compactions must not take the CPU and the memory that exports need.
    private static final int MAX_CONCURRENT = 1;
    private static final Duration BARRIER_POLL_INTERVAL = Duration.ofMillis(200);
    private static final Duration BARRIER_TIMEOUT = Duration.ofMinutes(10);
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(10), CompactionService.MAX_DELAY);

    private final CompactionService compactions;
    private final DayWriter writer;
    private final LakeBucket bucket;
    private final Blocking blocking;
    private final CrashPoint crash;
    private final LakeMetrics metrics;

    CompactionJobHandler(CompactionService compactions, DayWriter writer, LakeBucket bucket, Blocking blocking,
            CrashPoint crash, LakeMetrics metrics, ExecutionConfig config) {
        super(compactions.leases(), config.leaseTiming(), MAX_CONCURRENT, LogKeys.COMPACTION_ID);
        this.compactions = compactions;
        this.writer = writer;
        this.bucket = bucket;
        this.blocking = blocking;
        this.crash = crash;
        this.metrics = metrics;
    }

    @Override
    protected Job create(Lease lease) {
        return new CompactionJob(lease);
    }

    /** Performs one attempt under the lease of its day. */
    private final class CompactionJob implements Job {

        private final Lease lease;
        private final long startedAt = System.nanoTime();
        private volatile @Nullable Compaction current;

        private CompactionJob(Lease lease) {
            this.lease = lease;
        }

        @Override
        public Uni<Void> perform() {
            return compactions.begin(lease)
                    .invoke(started -> current = started)
                    .chain(this::performAttempt);
        }

        @Override
        public Uni<Void> onRenewal(SqlConnection connection) {
            Compaction started = current;
            return started == null ? Uni.createFrom().voidItem() : compactions.keepFiles(connection, started);
        }

        @Override
        public Uni<Void> onLeaseLost() {
            metrics.attemptEnded("lease_lost");
            return Uni.createFrom().voidItem();
        }

        private Uni<Void> performAttempt(Compaction compaction) {
            return reached(Step.STARTED)
                    .chain(this::awaitBarrier)
                    .chain(() -> reached(Step.BARRIER_PASSED))
                    .chain(() -> blocking.callOnPlatformThread(() -> writer.write(compaction)))
                    .call(() -> reached(Step.PARTS_UPLOADED))
                    .chain(day -> publish(day)
                            .chain(() -> recordFiles(compaction, day)))
                    .onFailure(UnsupportedDayException.class)
                    .recoverWithUni(failure -> recordUnsupported(compaction, (UnsupportedDayException) failure))
                    .onFailure(failure -> !(failure instanceof LeaseLostException))
                    .recoverWithUni(failure -> retryLater(compaction, failure));
        }

        // Afterwards every transaction that changes the day records it: those that began earlier have ended, and the snapshot
        // contains what they wrote.
        private Uni<Void> awaitBarrier() {
            return compactions.barrier(lease)
                    .chain(barrier -> Multi.createBy().repeating()
                            .uni(() -> compactions.isPassed(lease, barrier))
                            .withDelay(BARRIER_POLL_INTERVAL)
                            .until(Boolean::booleanValue)
                            .collect().last())
                    .replaceWithVoid()
                    .ifNoItem().after(BARRIER_TIMEOUT).failWith(BarrierTimeoutException::new);
        }

        private Uni<Void> publish(CompactedDay day) {
            return Multi.createFrom().iterable(day.files())
                    .onItem().transformToUniAndConcatenate(this::publish)
                    .collect().last()
                    .chain(() -> reached(Step.PUBLISHED));
        }

        private Uni<Void> publish(LakeFile file) {
            return bucket.store().complete(file.index())
                    .chain(() -> bucket.store().complete(file.upload()))
                    .chain(() -> reached(Step.FILE_VISIBLE));
        }

        private Uni<Void> recordFiles(Compaction compaction, CompactedDay day) {
            return compactions.record(compaction, day)
                    .invoke(() -> {
                        metrics.attemptEnded("compacted");
                        metrics.addWritten(day.rows(), day.bytes());
                        LOG.infof("day compacted: tenant_id=%s day=%s attempt=%s files=%s rows=%s bytes=%s seconds=%s",
                                lease.tenantId(), compaction.day(), compaction.number(), day.files().size(), day.rows(),
                                day.bytes(), String.format(Locale.ROOT, "%.3f", (System.nanoTime() - startedAt) / 1e9));
                    })
                    .chain(() -> reached(Step.RECORDED));
        }

        private Uni<Void> recordUnsupported(Compaction compaction, UnsupportedDayException failure) {
            metrics.attemptEnded("unsupported");
            LOG.warnf("day not compacted because a run is too large: tenant_id=%s day=%s", lease.tenantId(), compaction.day());
            return compactions.recordUnsupported(compaction, failure.snapshot());
        }

        private Uni<Void> retryLater(Compaction compaction, Throwable failure) {
            String code = failure instanceof BarrierTimeoutException ? "barrier_timeout"
                    : AttemptFailure.from(failure).error().code();
            Duration delay = BACKOFF.delay(compaction.number(), ThreadLocalRandom.current().nextDouble());
            metrics.attemptEnded("retry");
            LOG.warnf(failure, "compaction of a day failed; it is retried: tenant_id=%s day=%s attempt=%s code=%s",
                    lease.tenantId(), compaction.day(), compaction.number(), code);
            return compactions.retryLater(lease, code, delay);
        }

        private Uni<Void> reached(Step step) {
            return Uni.createFrom().item(step)
                    .invoke(done -> crash.reached(lease.tenantId(), done))
                    .replaceWithVoid();
        }
    }

    /** A transaction that began before the compaction has not ended in time. */
    private static final class BarrierTimeoutException extends RuntimeException {

        private BarrierTimeoutException() {
            super("a transaction that began before the compaction has not ended", null, false, false);
        }
    }
}
