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

import dev.waybill.common.job.Lease;
import dev.waybill.common.job.WorkPoller;
import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.revision.RolloutRequested;
import dev.waybill.controlplane.rollout.metrics.RolloutMetrics;
import dev.waybill.controlplane.rollout.rule.RolloutConfig;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/**
 * Starts work on deployments: periodically, when a request on this replica changes a deployment, and when an engine reports a
 * change. The work runs until it completes, becomes obsolete, or this replica stops.
 */
@Singleton
class RolloutTimer {

    private static final Logger LOG = Logger.getLogger(RolloutTimer.class);

    private final RolloutService rollouts;
    private final RolloutConfig config;
    private final Map<UUID, RunningWork> running = new ConcurrentHashMap<>();
    private final AtomicBoolean initialized = new AtomicBoolean();
    private final WorkPoller poller = new WorkPoller(this::claimAndStart);

    RolloutTimer(RolloutService rollouts, RolloutConfig config, RolloutMetrics metrics) {
        this.rollouts = rollouts;
        this.config = config;
        metrics.watch(running);
    }

    @Scheduled(identity = "rollout", every = "{waybill.rollout.poll-interval}", delayed = "0s")
    void tick() {
        if (initialized.compareAndSet(false, true)) {
            rollouts.markAllActiveDue().subscribe().with(done -> poller.poll(), failure -> {
                LOG.warn("active deployments could not be marked due after the start; the next poll retries", failure);
                initialized.set(false);
            });
        }
        poller.poll();
    }

    /**
     * Cancels obsolete work of the deployment. Its lease was revoked, or claimed again in the meantime; that lease is released
     * because no work uses it any longer.
     */
    void onDue(@Observes RolloutRequested due) {
        RunningWork stale = running.remove(due.deploymentId());
        if (stale == null) {
            poller.poll();
            return;
        }
        stale.cancel();
        rollouts.release(stale.lease()).subscribe().with(done -> poller.poll(), failure -> {
            LOG.warn("a deployment could not be released; it can be claimed when its lease has expired", failure);
            poller.poll();
        });
    }

    void onChanged(@Observes ApplicationChanged changed) {
        rollouts.markDue(changed)
                .subscribe()
                .with(done -> poller.poll(),
                        failure -> LOG.warn("a change could not be recorded; a later poll finds it", failure));
    }

    void stop(@Observes ShutdownEvent ignored) {
        poller.stop(() -> {
            List<RunningWork> stopped = List.copyOf(running.values());
            stopped.forEach(RunningWork::cancel);
            return release(stopped.stream().map(RunningWork::lease).toList());
        });
    }

    private Uni<Boolean> claimAndStart() {
        Map<WorkKind, Integer> free = Arrays.stream(WorkKind.values())
                .collect(Collectors.toMap(Function.identity(), this::free));
        return rollouts.claim(free)
                .chain(claimed -> poller.isStopping()
                        ? release(claimed.values().stream().flatMap(List::stream).toList())
                        : Uni.createFrom().voidItem()
                                .invoke(() -> claimed
                                        .forEach((kind, leases) -> leases
                                                .forEach(lease -> start(new RunningWork(lease, kind))))))
                .replaceWith(false);
    }

    private int free(WorkKind kind) {
        return config.maxConcurrent() - (int) running.values().stream().filter(work -> work.kind() == kind).count();
    }

    private Uni<Void> release(List<Lease> leases) {
        return Multi.createFrom().iterable(leases)
                .onItem().transformToUniAndMerge(lease -> rollouts.release(lease).onFailure().recoverWithNull())
                .collect().last()
                .replaceWithVoid();
    }

    private void start(RunningWork work) {
        RunningWork before = running.put(work.lease().id(), work);
        if (before != null) {
            before.cancel();
        }
        Cancellable started = rollouts.perform(work.lease())
                .subscribe().with(done -> ended(work), failure -> {
                    LOG.error("the result of a step could not be stored; the step is repeated later", failure);
                    ended(work);
                });
        work.started(started);
    }

    private void ended(RunningWork work) {
        running.remove(work.lease().id(), work);
        poller.poll();
    }
}
