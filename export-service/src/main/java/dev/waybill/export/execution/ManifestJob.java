package dev.waybill.export.execution;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseHeartbeat;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.common.job.LeaseTiming;
import dev.waybill.common.limit.Backoff;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.logging.LoggingContext;
import dev.waybill.export.job.ExportLifecycleService;
import dev.waybill.export.job.ManifestInput;
import dev.waybill.export.run.ExportLimits;
import io.smallrye.mutiny.Uni;

/** Writes the manifest of one export under the export's lease. */
final class ManifestJob implements Job {

    private static final Logger LOG = Logger.getLogger(ManifestJob.class);

    private final Factory factory;
    private final ExportLifecycleService exports;
    private final Lease lease;
    private volatile @Nullable ManifestInput input;

    private ManifestJob(Factory factory, Lease lease) {
        this.factory = factory;
        this.exports = factory.exports;
        this.lease = lease;
    }

    @Override
    public Uni<Void> perform() {
        return factory.loggingContext.withIds(
                Map.of(LogKeys.TENANT_ID, lease.tenantId().toString(), LogKeys.EXPORT_ID, lease.id().toString()),
                this::performWithHeartbeat);
    }

    private Uni<Void> performWithHeartbeat() {
        return factory.heartbeat.whileHeld(exports.leases(), lease, factory.timing,
                held -> exports.manifestInput(held).chain(this::write))
                .onFailure(LeaseLostException.class).call(this::deleteManifest)
                .onFailure(LeaseLostException.class).recoverWithNull();
    }

    @Override
    public Uni<Void> release() {
        return exports.release(lease);
    }

    private Uni<Void> write(ManifestInput export) {
        input = export;
        return factory.manifests.write(export)
                .invoke(() -> LOG.infof("export completed: tenant_id=%s export_id=%s files=%d", lease.tenantId(),
                        lease.id(), export.files().size()))
                .onFailure(failure -> !(failure instanceof LeaseLostException))
                .recoverWithUni(thrown -> handleFailure(export, thrown));
    }

    // The heartbeat or any statement may notice the loss of the lease, also after the manifest was written.
    private Uni<Void> deleteManifest() {
        ManifestInput export = input;
        return export == null ? Uni.createFrom().voidItem() : factory.manifests.deleteUnlessCompleted(export);
    }

    private Uni<Void> handleFailure(ManifestInput export, Throwable thrown) {
        AttemptFailure failure = AttemptFailure.from(thrown);
        int failures = export.failedAttempts() + 1;
        LOG.warnf(thrown, "could not write the manifest of an export: tenant_id=%s export_id=%s attempt=%d code=%s",
                lease.tenantId(), lease.id(), failures, failure.error().code());
        return failure.isPermanent() || failures >= factory.maxAttempts
                ? exports.fail(lease, failure.error())
                : exports.retryLater(lease, factory.backoff.delay(failures, ThreadLocalRandom.current().nextDouble()));
    }

    /** Creates the job of a claimed export. */
    @Singleton
    static final class Factory {

        private final LeaseHeartbeat heartbeat;
        private final ExportLifecycleService exports;
        private final ManifestWriter manifests;
        private final LeaseTiming timing;
        private final Backoff backoff;
        private final int maxAttempts;
        private final LoggingContext loggingContext;

        Factory(LeaseHeartbeat heartbeat, ExportLifecycleService exports, ManifestWriter manifests, ExportLimits limits,
                ExecutionConfig config, LoggingContext loggingContext) {
            this.heartbeat = heartbeat;
            this.exports = exports;
            this.manifests = manifests;
            this.timing = config.leaseTiming();
            this.backoff = config.backoff();
            this.maxAttempts = limits.maxAttempts();
            this.loggingContext = loggingContext;
        }

        Job create(Lease lease) {
            return new ManifestJob(this, lease);
        }
    }
}
