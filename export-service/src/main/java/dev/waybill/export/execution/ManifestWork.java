package dev.waybill.export.execution;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.lease.Lease;
import dev.waybill.common.lease.LeaseHeartbeat;
import dev.waybill.common.lease.LeaseLostException;
import dev.waybill.common.lease.LeaseTiming;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.logging.LoggingContext;
import dev.waybill.export.job.ExportOutcomeService;
import dev.waybill.export.job.FinishedExport;
import dev.waybill.export.run.ExportLimits;
import io.smallrye.mutiny.Uni;

/** The last step of one export, under the export's own lease. */
final class ManifestWork implements Work {

    private static final Logger LOG = Logger.getLogger(ManifestWork.class);

    private final Maker maker;
    private final ExportOutcomeService outcomes;
    private final Lease lease;
    private volatile @Nullable FinishedExport begun;

    private ManifestWork(Maker maker, Lease lease) {
        this.maker = maker;
        this.outcomes = maker.outcomes;
        this.lease = lease;
    }

    @Override
    public Uni<Void> perform() {
        return maker.lines.withIds(
                Map.of(LogKeys.TENANT_ID, lease.tenantId().toString(), LogKeys.EXPORT_ID, lease.id().toString()),
                this::performHere);
    }

    private Uni<Void> performHere() {
        return maker.keeper.whileHeld(outcomes.leases(), lease, maker.timing,
                held -> outcomes.finished(held).chain(this::write))
                .onFailure(LeaseLostException.class).call(this::withdraw)
                .onFailure(LeaseLostException.class).recoverWithNull();
    }

    @Override
    public Uni<Void> giveBack() {
        return outcomes.giveBack(lease);
    }

    private Uni<Void> write(FinishedExport export) {
        begun = export;
        return maker.manifests.write(export)
                .invoke(() -> LOG.infof("an export is completed: tenant_id=%s export_id=%s files=%d", lease.tenantId(),
                        lease.id(), export.files().size()))
                .onFailure(failure -> !(failure instanceof LeaseLostException))
                .recoverWithUni(thrown -> settle(export, thrown));
    }

    // Whoever notices that the lease is lost, the writer or the keeper, and at whatever step that stopped the work.
    private Uni<Void> withdraw() {
        FinishedExport export = begun;
        return export == null ? Uni.createFrom().voidItem() : maker.manifests.takeBack(export);
    }

    private Uni<Void> settle(FinishedExport export, Throwable thrown) {
        Failure failure = Failure.from(thrown);
        int failures = export.failedAttempts() + 1;
        LOG.warnf(thrown, "the manifest of an export could not be written: tenant_id=%s export_id=%s attempt=%d code=%s",
                lease.tenantId(), lease.id(), failures, failure.told().code());
        return failure.isPermanent() || failures >= maker.mostAttempts
                ? outcomes.fail(lease, failure.told())
                : outcomes.tryLater(lease, maker.pauses.after(failures, ThreadLocalRandom.current().nextDouble()));
    }

    /** Makes the work of a claimed export; holds what every one of them needs. */
    @Singleton
    static final class Maker {

        private final LeaseHeartbeat keeper;
        private final ExportOutcomeService outcomes;
        private final ManifestWriter manifests;
        private final LeaseTiming timing;
        private final RetryPauses pauses;
        private final int mostAttempts;
        private final LoggingContext lines;

        Maker(LeaseHeartbeat keeper, ExportOutcomeService outcomes, ManifestWriter manifests, ExportLimits limits,
                ExecutionConfig config, LoggingContext lines) {
            this.keeper = keeper;
            this.outcomes = outcomes;
            this.manifests = manifests;
            this.timing = config.leaseTiming();
            this.pauses = config.pauses();
            this.mostAttempts = limits.attempts();
            this.lines = lines;
        }

        Work of(Lease lease) {
            return new ManifestWork(this, lease);
        }
    }
}
