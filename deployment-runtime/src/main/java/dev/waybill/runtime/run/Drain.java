package dev.waybill.runtime.run;

import java.time.Duration;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;

/**
 * The end of the runtime: told while HTTP is still served, it takes no new runs and lets those under way finish; what is left
 * after the time for that is ended in words.
 */
@Singleton
class Drain {

    private static final Logger LOG = Logger.getLogger(Drain.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final RunRegistry registry;
    private final RunConfig config;
    private volatile boolean begun;

    Drain(RunRegistry registry, RunConfig config) {
        this.registry = registry;
        this.config = config;
    }

    /** @throws ProblemException 503 when no new runs are taken any more */
    void check() {
        if (begun) {
            throw new ProblemException(CommonProblem.UNAVAILABLE,
                    "This runtime is being stopped and takes no new runs; try again in a moment.").retryAfter(RETRY_AFTER);
        }
    }

    boolean hasBegun() {
        return begun;
    }

    void stop(@Observes ShutdownDelayInitiatedEvent stopping) throws InterruptedException {
        begun = true;
        LOG.infof("no new runs are taken; under_way=%d may go on for %s", registry.countUnderWay(), config.drain());
        if (!registry.awaitIdle(config.drain())) {
            registry.underWay().forEach(run -> run.stop(RunStatus.INTERRUPTED, RunErrors.STOPPED));
        }
    }
}
