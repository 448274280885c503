package dev.waybill.controlplane.rollout;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.lease.Lease;
import dev.waybill.common.lease.WorkPoller;
import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.revision.RolloutRequested;
import dev.waybill.controlplane.rollout.measure.RolloutMetrics;
import dev.waybill.controlplane.rollout.rule.RolloutConfig;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/**
 * Starts work on deployments: at its turns, when somebody here asked for something, and when an engine saw a change. What is
 * started runs until it ends, is out of date, or this replica stops.
 */
@Singleton
class RolloutTimer {

    private static final Logger LOG = Logger.getLogger(RolloutTimer.class);

    private final RolloutService rollouts;
    private final RolloutConfig config;
    private final Map<UUID, Work> underWay = new ConcurrentHashMap<>();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final WorkPoller timer = new WorkPoller(this::claimAndStart);

    RolloutTimer(RolloutService rollouts, RolloutConfig config, RolloutMetrics metrics) {
        this.rollouts = rollouts;
        this.config = config;
        metrics.watch(underWay);
    }

    @Scheduled(identity = "rollout", every = "{waybill.rollout.every}", delayed = "0s")
    void tick() {
        if (begun.compareAndSet(false, true)) {
            rollouts.lookAtAll().subscribe().with(done -> timer.poll(), failure -> {
                LOG.warn("deployments could not be looked at after the start; the next turn tries again", failure);
                begun.set(false);
            });
        }
        timer.poll();
    }

    /**
     * What is done for the deployment is out of date. Its lease is gone already, unless it was claimed anew since then: that
     * one is given back, for nobody is left to work under it.
     */
    void onDue(@Observes RolloutRequested due) {
        Work stale = underWay.remove(due.deploymentId());
        if (stale == null) {
            timer.poll();
            return;
        }
        stale.cancel();
        rollouts.giveBack(stale.lease()).subscribe().with(done -> timer.poll(), failure -> {
            LOG.warn("a deployment could not be given back; it is taken when its lease has run out", failure);
            timer.poll();
        });
    }

    void onChanged(@Observes ApplicationChanged changed) {
        rollouts.lookSoon(changed)
                .subscribe()
                .with(done -> timer.poll(), failure -> LOG.warn("a change was not noted; a later look finds it", failure));
    }

    void stop(@Observes ShutdownEvent ignored) {
        timer.stop(() -> {
            List<Work> open = List.copyOf(underWay.values());
            open.forEach(Work::cancel);
            return giveBack(open.stream().map(Work::lease).toList());
        });
    }

    private Uni<Boolean> claimAndStart() {
        Map<Errand, Integer> free = Arrays.stream(Errand.values())
                .collect(Collectors.toMap(Function.identity(), this::free));
        return rollouts.claim(free)
                .chain(claimed -> timer.isStopping()
                        ? giveBack(claimed.values().stream().flatMap(List::stream).toList())
                        : Uni.createFrom().voidItem()
                                .invoke(() -> claimed
                                        .forEach((errand, leases) -> leases.forEach(lease -> start(new Work(lease, errand))))))
                .replaceWith(false);
    }

    private int free(Errand errand) {
        return config.concurrent() - (int) underWay.values().stream().filter(work -> work.errand() == errand).count();
    }

    private Uni<Void> giveBack(List<Lease> leases) {
        return Multi.createFrom().iterable(leases)
                .onItem().transformToUniAndMerge(lease -> rollouts.giveBack(lease).onFailure().recoverWithNull())
                .collect().last()
                .replaceWithVoid();
    }

    private void start(Work work) {
        Work before = underWay.put(work.lease().id(), work);
        if (before != null) {
            before.cancel();
        }
        Cancellable started = rollouts.perform(work.lease())
                .subscribe().with(done -> ended(work), failure -> {
                    LOG.error("what came of a step could not be written down; it is done again later", failure);
                    ended(work);
                });
        work.started(started);
    }

    private void ended(Work work) {
        underWay.remove(work.lease().id(), work);
        timer.poll();
    }
}
