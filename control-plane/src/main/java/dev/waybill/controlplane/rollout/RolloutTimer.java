package dev.waybill.controlplane.rollout;

import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.job.JobRunner;
import dev.waybill.common.logging.LoggingContext;
import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.revision.RevisionChanged;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;

/**
 * Starts work on deployments: periodically, when a request on this replica changes a deployment, and when an engine reports a
 * change. The work runs until it completes, becomes obsolete, or this replica stops.
 */
@Singleton
class RolloutTimer {

    private static final Logger LOG = Logger.getLogger(RolloutTimer.class);

    private final RolloutService rollouts;
    private final JobRunner runner;
    private final AtomicBoolean initialized = new AtomicBoolean();

    RolloutTimer(Database database, MeterRegistry registry, LoggingContext loggingContext, RolloutService rollouts,
            RolloutMetrics metrics) {
        this.rollouts = rollouts;
        this.runner = new JobRunner(database, registry, loggingContext, Integer.MAX_VALUE, rollouts.handlers());
        metrics.watch(runner::running);
    }

    @Scheduled(identity = "rollout", every = "{waybill.rollout.poll-interval}", delayed = "0s")
    void tick() {
        if (initialized.compareAndSet(false, true)) {
            rollouts.markAllActiveDue().subscribe().with(done -> runner.poll(), failure -> {
                LOG.warn("active deployments could not be marked due after the start; the next poll retries", failure);
                initialized.set(false);
            });
        }
        runner.poll();
    }

    /** Cancels obsolete work of the deployment, whose lease was revoked. */
    void onRequest(@Observes RevisionChanged changed) {
        if (changed.byRequest()) {
            runner.cancel(changed.deploymentId());
        }
    }

    void onChanged(@Observes ApplicationChanged changed) {
        rollouts.markDue(changed)
                .subscribe()
                .with(done -> runner.poll(),
                        failure -> LOG.warn("a change could not be recorded; a later poll finds it", failure));
    }

    void stop(@Observes ShutdownEvent ignored) {
        runner.stop();
    }
}
