package dev.waybill.runtime.run;

import java.time.Duration;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;

/**
 * Shuts the runtime down while HTTP is still served: rejects new runs, waits for active runs up to {@code drain-timeout}, and
 * ends
 * the remaining ones with an error.
 */
@Singleton
class GracefulShutdown {

    private static final Logger LOG = Logger.getLogger(GracefulShutdown.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final RunRegistry registry;
    private final RunConfig config;
    private volatile boolean stopping;

    GracefulShutdown(RunRegistry registry, RunConfig config) {
        this.registry = registry;
        this.config = config;
    }

    /** @throws ProblemException 503 during shutdown */
    void rejectIfStopping() {
        if (stopping) {
            throw new ProblemException(CommonProblem.UNAVAILABLE,
                    "This runtime is shutting down and accepts no new runs; retry in a moment.").retryAfter(RETRY_AFTER);
        }
    }

    boolean isStopping() {
        return stopping;
    }

    void stop(@Observes ShutdownDelayInitiatedEvent event) throws InterruptedException {
        stopping = true;
        LOG.infof("shutting down and rejecting new runs: under_way=%d timeout=%s", registry.countActive(),
                config.drainTimeout());
        if (!registry.awaitIdle(config.drainTimeout())) {
            registry.active().forEach(run -> run.stop(RunStatus.INTERRUPTED, RunErrors.STOPPED));
        }
    }
}
