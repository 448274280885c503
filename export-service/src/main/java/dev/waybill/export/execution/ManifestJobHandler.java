package dev.waybill.export.execution;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
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
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.run.ExportLimitsConfig;
import io.quarkus.runtime.annotations.RegisterForReflection;
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

    private byte[] content(ManifestInput export) {
        try {
            return json.writerWithDefaultPrettyPrinter().writeValueAsBytes(Manifest.of(export));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
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
                    .invoke(() -> LOG.infof("export completed: tenant_id=%s export_id=%s files=%d", lease.tenantId(),
                            lease.id(), export.files().size()))
                    .onFailure(failure -> !(failure instanceof LeaseLostException))
                    .recoverWithUni(thrown -> handleFailure(export, thrown));
        }

        private Uni<Void> write(ManifestInput export, OpenDestination destination) {
            return destination.store().put(export.layout().manifest(), content(export), "application/json")
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
            LOG.warnf(thrown, "could not write the manifest of an export: tenant_id=%s export_id=%s attempt=%d code=%s",
                    lease.tenantId(), lease.id(), failures, failure.error().code());
            return failure.isPermanent() || failures >= maxAttempts
                    ? exports.fail(lease, failure.error())
                    : exports.retryLater(lease, backoff.delay(failures, ThreadLocalRandom.current().nextDouble()));
        }
    }

    /**
     * The manifest of an export, written as its last object (contract.md "Bulk export", manifest members). It lists the files
     * that are complete. Every attempt to write it produces the same content.
     *
     * @param truncatedRows number of rows with texts that were replaced because they are too large
     * @param files {@code path} is the key in the bucket
     * @param createdAt when the last run was completed
     */
    @RegisterForReflection(targets = { Manifest.class, ManifestInput.File.class, ExportSchema.Column.class })
    record Manifest(int version, UUID exportId, UUID tenantId, UUID sessionId, Instant startTime, Instant endTime,
            @Nullable String filter, String formatVersion, String compression, List<ExportSchema.Column> schema,
            String schemaSha256,
            long rows, long bytes, long truncatedRows, List<ManifestInput.File> files, Instant createdAt) {

        private static final int VERSION = 1;

        static Manifest of(ManifestInput export) {
            var layout = export.layout();
            return new Manifest(VERSION, layout.exportId(), layout.tenantId(), layout.sessionId(), export.startTime(),
                    export.endTime(), export.filter(), layout.version().wireName(), export.compression(),
                    export.schema().columns(),
                    export.schema().sha256(),
                    export.files().stream().mapToLong(ManifestInput.File::rows).sum(),
                    export.files().stream().mapToLong(ManifestInput.File::bytes).sum(),
                    export.truncatedRows(), export.files(), export.dataCompletedAt());
        }
    }
}
