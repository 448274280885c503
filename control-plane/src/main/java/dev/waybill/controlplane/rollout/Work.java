package dev.waybill.controlplane.rollout;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.lease.Lease;
import io.smallrye.mutiny.subscription.Cancellable;

/** Work on one deployment, which may be cancelled before it is known how. */
final class Work {

    private final Lease lease;
    private final Errand errand;
    private @Nullable Cancellable started;
    private boolean cancelled;

    Work(Lease lease, Errand errand) {
        this.lease = lease;
        this.errand = errand;
    }

    Lease lease() {
        return lease;
    }

    /** What it was begun for; it may come to something else. */
    Errand errand() {
        return errand;
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
