package dev.waybill.controlplane.rollout;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.job.Lease;
import io.smallrye.mutiny.subscription.Cancellable;

/** The work on one deployment; {@link #cancel} may precede {@link #started}. */
final class RunningWork {

    private final Lease lease;
    private final WorkKind kind;
    private @Nullable Cancellable started;
    private boolean cancelled;

    RunningWork(Lease lease, WorkKind kind) {
        this.lease = lease;
        this.kind = kind;
    }

    Lease lease() {
        return lease;
    }

    /** Returns the kind of work that it was claimed for. */
    WorkKind kind() {
        return kind;
    }

    synchronized void started(Cancellable cancellable) {
        started = cancellable;
        if (cancelled) {
            cancellable.cancel();
        }
    }

    synchronized void cancel() {
        cancelled = true;
        if (started != null) {
            started.cancel();
        }
    }
}
