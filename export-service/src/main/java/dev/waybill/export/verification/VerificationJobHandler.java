package dev.waybill.export.verification;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.Receipt;
import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.common.job.Job;
import dev.waybill.common.job.JobHandler;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.common.limit.Backoff;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.export.destination.DestinationOpener;
import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.execution.AttemptFailure;
import dev.waybill.export.execution.ExecutionConfig;
import dev.waybill.export.run.ExportLimitsConfig;
import dev.waybill.export.run.ExportRunFailure;
import dev.waybill.export.storage.StorageProblem;
import dev.waybill.export.verification.CheckedFiles.Checkpoint;
import dev.waybill.export.verification.VerificationJobService.VerificationTask;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Claims verifications, performs them, and stores their outcome with a receipt for intact exports. */
@Singleton
final class VerificationJobHandler extends JobHandler {

    private static final Logger LOG = Logger.getLogger(VerificationJobHandler.class);
    private static final ExportRunFailure TIMED_OUT = new ExportRunFailure("timed_out",
            "The verification exceeded its maximum duration.");
    private static final ExportRunFailure WORKERS_LOST = new ExportRunFailure("worker_lost",
            "The workers of all attempts stopped without a result.");
    private static final ExportRunFailure READING_DENIED = new ExportRunFailure(StorageProblem.ACCESS_DENIED.code(),
            "The destination's credentials may not read the manifest; permit reading and listing of the export's objects.");

    private final VerificationJobService verifications;
    private final DestinationOpener destinations;
    private final ExportVerifier verifier;
    private final ReceiptService receipts;
    private final MeterRegistry metrics;
    private final ChangeRecorder changes;
    private final Backoff backoff;
    private final int maxAttempts;
    private final Duration timeout;

    VerificationJobHandler(VerificationJobService verifications, DestinationOpener destinations, ExportVerifier verifier,
            ReceiptService receipts, MeterRegistry metrics, ChangeRecorder changes, ExportLimitsConfig limits,
            ExecutionConfig execution, VerificationConfig config) {
        super(verifications.leases(), execution.leaseTiming(), config.maxConcurrent(), LogKeys.VERIFICATION_ID);
        this.verifications = verifications;
        this.destinations = destinations;
        this.verifier = verifier;
        this.receipts = receipts;
        this.metrics = metrics;
        this.changes = changes;
        this.backoff = execution.backoff();
        this.maxAttempts = limits.maxAttempts();
        this.timeout = limits.exportTimeout();
        // Prometheus sees an increase only of a series that existed before.
        for (String outcome : new String[] { "intact", "different", "failed" }) {
            metrics.counter("waybill.export.verifications", "outcome", outcome);
        }
    }

    @Override
    protected Job create(Lease lease) {
        return new VerificationJob(lease);
    }

    /** Performs one attempt of one verification under its lease. */
    private final class VerificationJob implements Job {

        private final Lease lease;
        private volatile @Nullable CheckedFiles checked;
        private volatile @Nullable UUID exportId;

        private VerificationJob(Lease lease) {
            this.lease = lease;
        }

        @Override
        public Uni<Void> perform() {
            return verifications.begin(lease).chain(this::performAttempt)
                    .onTermination().invoke(this::announce);
        }

        @Override
        public Uni<Void> onRenewal(SqlConnection connection) {
            CheckedFiles current = checked;
            announce();
            return current == null ? Uni.createFrom().voidItem()
                    : verifications.recordProgress(connection, lease, current.checkpoint());
        }

        @Override
        public Uni<Void> beforeRelease() {
            CheckedFiles current = checked;
            return current == null ? Uni.createFrom().voidItem() : verifications.recordProgress(lease, current.checkpoint());
        }

        private Uni<Void> performAttempt(VerificationTask task) {
            exportId = task.exportId();
            MDC.put(LogKeys.EXPORT_ID, task.exportId().toString());
            if (task.attempts() > maxAttempts) {
                return fail(task, WORKERS_LOST, null);
            }
            if (task.age().compareTo(timeout) >= 0) {
                return fail(task, TIMED_OUT, null);
            }
            CheckedFiles results = new CheckedFiles(task.export().files(), task.checkpoint());
            checked = results;
            return destinations.open(lease.tenantId(), task.export().manifest().destinationId())
                    .chain(destination -> verify(task, destination, results)
                            .onTermination().invoke(destination::close))
                    .ifNoItem().after(timeout.minus(task.age())).recoverWithUni(() -> fail(task, TIMED_OUT, null))
                    .onFailure(failure -> !(failure instanceof LeaseLostException))
                    .recoverWithUni(thrown -> handleFailure(task, results, thrown));
        }

        private void announce() {
            UUID verified = exportId;
            if (verified != null) {
                changes.ofExport(lease.tenantId(), verified);
            }
        }

        private Uni<Void> verify(VerificationTask task, OpenDestination destination, CheckedFiles results) {
            return verifier.verify(destination.store(), task.export(), results)
                    .chain(outcome -> receipt(task, destination, outcome)
                            .chain(receipt -> verifications.complete(lease, outcome, receipt.orElse(null)))
                            .invoke(() -> report(task, outcome)));
        }

        private Uni<Optional<Receipt>> receipt(VerificationTask task, OpenDestination destination,
                VerificationOutcome outcome) {
            String manifestSha256 = outcome.manifestSha256();
            return outcome.isIntact() && manifestSha256 != null
                    ? receipts.sign(task.export(), new ReceiptService.Finding(lease.id(), task.startedAt(), destination,
                            manifestSha256, outcome.objectsListed()))
                    : Uni.createFrom().item(Optional.empty());
        }

        private void report(VerificationTask task, VerificationOutcome outcome) {
            count(outcome.isIntact() ? "intact" : "different");
            LOG.infof("verification completed: tenant_id=%s export_id=%s intact=%s files=%s mismatches=%s", lease.tenantId(),
                    task.exportId(), outcome.isIntact(), outcome.files().files(), outcome.mismatches().total());
        }

        private Uni<Void> handleFailure(VerificationTask task, CheckedFiles results, Throwable thrown) {
            AttemptFailure failure = AttemptFailure.from(thrown);
            Checkpoint checkpoint = results.checkpoint();
            if (failure.isPermanent()) {
                return fail(task, failure.error().code().equals(READING_DENIED.code()) ? READING_DENIED : failure.error(),
                        thrown);
            }
            boolean advanced = checkpoint.files() > task.checkpoint().files();
            int attempts = advanced ? 1 : task.attempts();
            if (attempts >= maxAttempts) {
                return fail(task, failure.error(), thrown);
            }
            LOG.warnf(thrown, "an attempt to verify an export failed; it is retried: tenant_id=%s export_id=%s code=%s",
                    lease.tenantId(), task.exportId(), failure.error().code());
            return verifications.recordProgress(lease, checkpoint)
                    .chain(() -> verifications.retryLater(lease,
                            backoff.delay(attempts, ThreadLocalRandom.current().nextDouble())));
        }

        private Uni<Void> fail(VerificationTask task, ExportRunFailure failure, @Nullable Throwable thrown) {
            LOG.warnf(thrown, "verification failed: tenant_id=%s export_id=%s code=%s", lease.tenantId(), task.exportId(),
                    failure.code());
            return verifications.fail(lease, failure)
                    .invoke(() -> count("failed"));
        }

        private void count(String outcome) {
            metrics.counter("waybill.export.verifications", "outcome", outcome).increment();
        }
    }
}
