package dev.waybill.runtime.run;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.RunStorage.Replica;
import dev.waybill.runtime.storage.RunStorage.ReplicaTick;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.StorageException;
import io.smallrye.mutiny.Uni;

/** The lease of this replica, without which other replicas take over its runs. */
final class ReplicaLease {

    /** Time of the lease after each extension. */
    static final Duration LEASE = Duration.ofSeconds(10);

    private static final Logger LOG = Logger.getLogger(ReplicaLease.class);
    /** Without an extension for this long, another replica may take over the runs soon. */
    private static final long MAX_LEASE_AGE_NANOS = TimeUnit.SECONDS.toNanos(7);
    /** Time for a renewal, so that its failure is known before the end of the lease. */
    private static final Duration MAX_RENEWAL = Duration.ofSeconds(5);
    private static final int MAX_CLAIMED = 100;
    private static final long RECOVERY_DELAY_NANOS = RunStorage.UNKNOWN_AGE.plusSeconds(1).toNanos();

    private final UUID replica = UUID.randomUUID();
    private final RuntimeStorage storage;
    private final Work work;
    private final AtomicBoolean renewing = new AtomicBoolean();
    private volatile @Nullable Long renewedAt;
    private volatile boolean renewalFailed;
    private volatile @Nullable Long recoverAt;

    /** The runs of the replica. */
    interface Work {

        /** Returns whether runs are active or wait. */
        boolean isActive();

        /** Returns the runs that the replica executes or that wait here. */
        Replica state();

        /** Executes the work that the storage returned with an extension. */
        void apply(ReplicaTick tick);

        /** Executes a run that the storage has started for this replica. */
        void started(RunStorage.StartedRun started);

        /** Ends the runs, which another replica may execute now. */
        void lose();
    }

    ReplicaLease(RuntimeStorage storage, Work work) {
        this.storage = storage;
        this.work = work;
    }

    /** Returns the id of this replica. */
    UUID replica() {
        return replica;
    }

    /** Renews the lease if it has expired. Without a lease, another replica would claim a run at once. */
    Uni<Void> require() {
        return isHeld() ? Uni.createFrom().voidItem() : storage.execute(this::renew);
    }

    private boolean isHeld() {
        Long extended = renewedAt;
        return extended != null && System.nanoTime() - extended < MAX_LEASE_AGE_NANOS;
    }

    /** A result of the storage was lost: it may have started a run that this replica does not know. */
    void recoverSoon() {
        recoverAt = System.nanoTime() + RECOVERY_DELAY_NANOS;
    }

    /** Extends the lease while runs are active or wait, and executes the work that the storage returns. */
    void tick() {
        Long due = recoverAt;
        if (due != null && System.nanoTime() - due > 0) {
            recoverAt = null;
            recover();
        }
        // Whether or not a renewal is still waiting for the storage.
        if (renewalFailed && !isHeld()) {
            work.lose();
        }
        if (work.isActive() && renewing.compareAndSet(false, true)) {
            storage.execute(this::renew).subscribeAsCompletionStage().whenComplete((ignored, failure) -> {
                renewing.set(false);
                logFailure("could not extend the lease of this replica", failure);
            });
        }
    }

    private Uni<Void> renew(Storage opened) {
        long now = System.nanoTime();
        return opened.runs().renew(work.state())
                // The recovery finds what a late result has started.
                .memoize().indefinitely()
                .ifNoItem().after(MAX_RENEWAL)
                .failWith(() -> new StorageException("The storage of threads did not extend the lease in time.", null))
                .onFailure(StorageException.class).invoke(this::recoverSoon)
                .onItemOrFailure().invoke((tick, failure) -> renewalFailed = failure != null)
                .invoke(tick -> {
                    renewedAt = now;
                    work.apply(tick);
                })
                .replaceWithVoid();
    }

    /** Takes over the running and pending runs of replicas whose lease has expired, and own ones whose start got no result. */
    void recover() {
        // Does not use storage.execute, which would mark the storage as in use.
        storage.find().ifPresent(opened -> opened.runs().claimLost(work.state(), MAX_CLAIMED)
                .onFailure(StorageException.class).invoke(this::recoverSoon)
                .invoke(claimed -> claimed.forEach(work::started))
                .chain(() -> renew(opened))
                .subscribeAsCompletionStage()
                .whenComplete((ignored, failure) -> logFailure("could not claim lost runs", failure)));
    }

    private static void logFailure(String what, @Nullable Throwable failure) {
        if (failure != null) {
            LOG.warnf("%s: %s", what, failure.getMessage());
        }
    }
}
