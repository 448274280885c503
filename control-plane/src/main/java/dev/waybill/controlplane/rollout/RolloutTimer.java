package dev.waybill.controlplane.rollout;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.lease.Lease;
import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.revision.RolloutDue;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.Cancellable;

/**
 * Starts work on deployments: at its turns, when somebody here asked for something, and when an engine saw a change. What is
 * started runs until it ends, is out of date, or this replica stops.
 */
@Singleton
class RolloutTimer {

    private static final Logger LOG = Logger.getLogger(RolloutTimer.class);
    private static final Duration STOPPING = Duration.ofSeconds(8);

    private final RolloutService rollouts;
    private final RolloutConfig config;
    private final Map<UUID, Work> underWay = new ConcurrentHashMap<>();
    private final AtomicBoolean begun = new AtomicBoolean();
    // How often it was asked to look since it last began to: so that what is asked while it looks is not missed.
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean stopping;

    RolloutTimer(RolloutService rollouts, RolloutConfig config, RolloutMetrics metrics) {
        this.rollouts = rollouts;
        this.config = config;
        metrics.watch(underWay);
    }

    @Scheduled(identity = "rollout", every = "{waybill.rollout.every}", delayed = "0s")
    void tick() {
        if (begun.compareAndSet(false, true)) {
            rollouts.lookAtAll().subscribe().with(done -> look(), failure -> {
                LOG.warn("deployments could not be looked at after the start; the next turn tries again", failure);
                begun.set(false);
            });
        }
        look();
    }

    /**
     * What is done for the deployment is out of date. Its lease is gone already, unless it was claimed anew since then: that
     * one is given back, for nobody is left to work under it.
     */
    void onDue(@Observes RolloutDue due) {
        Work stale = underWay.remove(due.deploymentId());
        if (stale == null) {
            look();
            return;
        }
        stale.cancel();
        rollouts.giveBack(stale.lease).subscribe().with(done -> look(), failure -> {
            LOG.warn("a deployment could not be given back; it is taken when its lease has run out", failure);
            look();
        });
    }

    void onChanged(@Observes ApplicationChanged changed) {
        rollouts.lookSoon(changed)
                .subscribe()
                .with(done -> look(), failure -> LOG.warn("a change was not noted; a later look finds it", failure));
    }

    /** Gives everything back, so that other replicas need not wait for the leases to run out. */
    void stop(@Observes ShutdownEvent ignored) {
        stopping = true;
        List<Work> open = List.copyOf(underWay.values());
        open.forEach(Work::cancel);
        CountDownLatch givenBack = new CountDownLatch(1);
        Multi.createFrom().iterable(open)
                .onItem().transformToUniAndMerge(work -> rollouts.giveBack(work.lease).onFailure().recoverWithNull())
                .collect().last()
                .ifNoItem().after(STOPPING).fail()
                .subscribe().with(done -> givenBack.countDown(), failure -> {
                    LOG.warn("deployments could not be given back; others take them when their leases have run out", failure);
                    givenBack.countDown();
                });
        try {
            givenBack.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        if (!stopping && asked.getAndIncrement() == 0) {
            takeNext();
        }
    }

    // On a thread that inherits nothing: what is started here must not keep the context of the request that asked for it.
    private void takeNext() {
        Thread.ofVirtual().inheritInheritableThreadLocals(false).start(this::claimNext);
    }

    private void claimNext() {
        int seen = asked.get();
        int free = config.concurrent() - underWay.size();
        if (free <= 0 || stopping) {
            rest(seen);
            return;
        }
        rollouts.claim(free)
                .subscribe().with(claimed -> taken(claimed, seen), failure -> {
                    LOG.warn("looking for deployments failed; the next turn looks again", failure);
                    rest(seen);
                });
    }

    private void taken(List<Lease> claimed, int seen) {
        claimed.forEach(this::start);
        rest(seen);
    }

    private void rest(int seen) {
        if (!asked.compareAndSet(seen, 0)) {
            takeNext();
        }
    }

    private void start(Lease lease) {
        Work work = new Work(lease);
        Work before = underWay.put(lease.id(), work);
        if (before != null) {
            before.cancel();
        }
        Cancellable started = rollouts.perform(lease)
                .subscribe().with(done -> ended(work), failure -> {
                    LOG.error("what came of a step could not be written down; it is done again later", failure);
                    ended(work);
                });
        work.started(started);
    }

    private void ended(Work work) {
        underWay.remove(work.lease.id(), work);
        look();
    }

    /** Work on one deployment, which may be cancelled before it is known how. */
    private static final class Work {

        private final Lease lease;
        private @Nullable Cancellable started;
        private boolean cancelled;

        private Work(Lease lease) {
            this.lease = lease;
        }

        private synchronized void started(Cancellable cancellable) {
            started = cancellable;
            if (cancelled) {
                cancellable.cancel();
            }
        }

        private synchronized void cancel() {
            cancelled = true;
            if (started != null) {
                started.cancel();
            }
        }
    }
}
