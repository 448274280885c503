package dev.waybill.export.execution;

import java.util.concurrent.ThreadLocalRandom;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.job.Job;
import dev.waybill.common.job.JobHandler;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.common.limit.Backoff;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.export.destination.DestinationOpener;
import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.job.ExportLifecycleService;
import dev.waybill.export.job.ManifestInput;
import dev.waybill.export.run.ExportLimitsConfig;
import io.smallrye.mutiny.Uni;

/** Claims exports whose runs are all completed, writes their manifests as the last object, and completes them. */
@Singleton
final class ManifestJobHandler extends JobHandler {

    private static final Logger LOG = Logger.getLogger(ManifestJobHandler.class);
    private static final int MAX_CONCURRENT = 2;

    private final ExportLifecycleService exports;
    private final DestinationOpener destinations;
    private final ObjectMapper json;
    private final CrashPoint crash;
    private final Backoff backoff;
    private final int maxAttempts;

    ManifestJobHandler(ExportLifecycleService exports, DestinationOpener destinations, ObjectMapper json, CrashPoint crash,
            ExportLimitsConfig limits, ExecutionConfig config) {
        super(exports.leases(), config.leaseTiming(), MAX_CONCURRENT, LogKeys.EXPORT_ID);
        this.exports = exports;
        this.destinations = destinations;
        this.json = json;
        this.crash = crash;
        this.backoff = config.backoff();
        this.maxAttempts = limits.maxAttempts();
    }

    @Override
    protected Job create(Lease lease) {
        return new ManifestJob(lease);
    }

    /** Writes the manifest of one export under the export's lease. */
    private final class ManifestJob implements Job {

        private final Lease lease;
        private volatile @Nullable ManifestInput input;

        private ManifestJob(Lease lease) {
            this.lease = lease;
        }

        @Override
        public Uni<Void> perform() {
            return exports.manifestInput(lease).chain(this::write);
        }

        // The heartbeat or any statement may notice the loss of the lease, also after the manifest was written.
        @Override
        public Uni<Void> onLeaseLost() {
            ManifestInput export = input;
            return export == null ? Uni.createFrom().voidItem() : deleteUnlessCompleted(export);
        }

        private Uni<Void> write(ManifestInput export) {
            input = export;
            return destinations.open(lease.tenantId(), export.destinationId())
                    .chain(destination -> write(export, destination)
                            .onTermination().invoke(destination::close))
                    .invoke(() -> LOG.infof("export completed: tenant_id=%s export_id=%s files=%s", lease.tenantId(),
                            lease.id(), export.files().size()))
                    .onFailure(failure -> !(failure instanceof LeaseLostException))
                    .recoverWithUni(thrown -> handleFailure(export, thrown));
        }

        private Uni<Void> write(ManifestInput export, OpenDestination destination) {
            return destination.store().put(export.layout().manifest(), Manifest.of(export).toJson(json), "application/json")
                    .invoke(() -> crash.reached(lease.tenantId(), CrashPoint.Step.MANIFEST_WRITTEN))
                    .chain(() -> exports.complete(lease));
        }

        // The export may have been cancelled, failed or timed out while the manifest was written.
        private Uni<Void> deleteUnlessCompleted(ManifestInput export) {
            return exports.hasEndedUncompleted(lease)
                    .chain(ended -> ended ? delete(export) : Uni.createFrom().voidItem());
        }

        private Uni<Void> delete(ManifestInput export) {
            return destinations.open(lease.tenantId(), export.destinationId())
                    .chain(destination -> destination.store().delete(export.layout().manifest())
                            .onTermination().invoke(destination::close));
        }

        private Uni<Void> handleFailure(ManifestInput export, Throwable thrown) {
            AttemptFailure failure = AttemptFailure.from(thrown);
            int failures = export.failedAttempts() + 1;
            LOG.warnf(thrown, "could not write the manifest of an export: tenant_id=%s export_id=%s attempt=%s code=%s",
                    lease.tenantId(), lease.id(), failures, failure.error().code());
            return failure.isPermanent() || failures >= maxAttempts
                    ? exports.fail(lease, failure.error())
                    : exports.retryLater(lease, backoff.delay(failures, ThreadLocalRandom.current().nextDouble()));
        }
    }
}
