package dev.waybill.export.lake;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import jakarta.inject.Singleton;

import org.apache.iceberg.exceptions.CommitFailedException;
import org.jboss.logging.Logger;

import dev.waybill.common.job.Job;
import dev.waybill.common.job.JobHandler;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.common.limit.Backoff;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.export.execution.AttemptFailure;
import dev.waybill.export.execution.ExecutionConfig;
import dev.waybill.export.lake.CrashPoint.Step;
import dev.waybill.export.lake.PublicationService.Attempt;
import dev.waybill.export.lake.TablePublisher.Result;
import io.smallrye.mutiny.Uni;

/** Claims workspaces whose table lacks changes and publishes them; failed attempts are retried without a limit. */
@Singleton
final class PublicationJobHandler extends JobHandler {

    private static final Logger LOG = Logger.getLogger(PublicationJobHandler.class);
    private static final int MAX_CONCURRENT = 1;
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(10), Duration.ofHours(1));

    private final PublicationService publications;
    private final TablePublisher publisher;
    private final Blocking blocking;
    private final CrashPoint crash;
    private final Clock clock;
    private final LakeMetrics metrics;

    PublicationJobHandler(PublicationService publications, TablePublisher publisher, Blocking blocking, CrashPoint crash,
            Clock clock, LakeMetrics metrics, ExecutionConfig config) {
        super(publications.leases(), config.leaseTiming(), MAX_CONCURRENT, LogKeys.PUBLICATION_ID);
        this.publications = publications;
        this.publisher = publisher;
        this.blocking = blocking;
        this.crash = crash;
        this.clock = clock;
        this.metrics = metrics;
    }

    @Override
    protected Job create(Lease lease) {
        return new PublicationJob(lease);
    }

    /** Performs one attempt under the lease of its workspace. */
    private final class PublicationJob implements Job {

        private final Lease lease;

        private PublicationJob(Lease lease) {
            this.lease = lease;
        }

        @Override
        public Uni<Void> perform() {
            return publications.begin(lease)
                    .chain(attempt -> blocking.callOnPlatformThread(() -> publisher.publish(attempt, clock.instant()))
                            .chain(result -> record(attempt, result))
                            .onFailure(failure -> !(failure instanceof LeaseLostException))
                            .recoverWithUni(failure -> retryLater(attempt, failure)));
        }

        @Override
        public Uni<Void> onLeaseLost() {
            metrics.publicationEnded("lease_lost");
            return Uni.createFrom().voidItem();
        }

        private Uni<Void> record(Attempt attempt, Result result) {
            return publications.record(attempt, result.released(), result.snapshots(), result.nextDue())
                    .invoke(() -> {
                        metrics.publicationEnded("published");
                        LOG.infof("table of the lake published: tenant_id=%s files=%s released=%s", lease.tenantId(),
                                result.files().files().size(), result.released().size());
                        crash.reached(lease.tenantId(), Step.TABLE_RECORDED);
                    });
        }

        private Uni<Void> retryLater(Attempt attempt, Throwable failure) {
            String code = failure instanceof CommitFailedException ? "table_changed"
                    : AttemptFailure.from(failure).error().code();
            metrics.publicationEnded("retry");
            LOG.warnf(failure, "publication of a table failed; it is retried: tenant_id=%s attempt=%s code=%s",
                    lease.tenantId(), attempt.number(), code);
            return publications.retryLater(lease, code, BACKOFF.delay(attempt.number(),
                    ThreadLocalRandom.current().nextDouble()));
        }
    }
}
