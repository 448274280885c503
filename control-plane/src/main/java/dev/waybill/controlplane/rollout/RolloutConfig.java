package dev.waybill.controlplane.rollout;

import java.time.Duration;

import dev.waybill.common.job.LeaseTiming;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Concurrency, timeouts and intervals of rollouts. */
@ConfigMapping(prefix = "waybill.rollout")
interface RolloutConfig {

    /** Interval at which a replica polls for due deployments. */
    @WithDefault("1s")
    Duration pollInterval();

    /**
     * Maximum number of deployments that this replica rolls out concurrently; it observes, stops and removes as many others.
     */
    @WithDefault("16")
    int maxConcurrent();

    /** Maximum number of concurrent rollouts of one workspace, over all replicas. */
    @WithDefault("8")
    int maxConcurrentPerWorkspace();

    /** Time after which other replicas may claim the deployments of an unresponsive replica. */
    @WithDefault("15s")
    Duration leaseTimeout();

    /** Timeout for building a revision, including retries. */
    @WithDefault("15m")
    Duration buildTimeout();

    /** Timeout for a revision to become healthy, including retries. */
    @WithDefault("5m")
    Duration deployTimeout();

    /** Maximum delay between two attempts of a step; the delay starts at 1 s and doubles with every attempt. */
    @WithDefault("30s")
    Duration maxBackoff();

    /** Interval at which a serving deployment is checked; one that does not serve is checked 60 times as often. */
    @WithDefault("5m")
    Duration observeInterval();

    /** Returns the interval at which a deployment that does not serve is checked. */
    default Duration observeFailingInterval() {
        return observeInterval().dividedBy(60);
    }

    /** Returns the timing of leases. A renewal stores logs, and work whose lease was lost ends at the next one. */
    default LeaseTiming leaseTiming() {
        return LeaseTiming.of(leaseTimeout(), Duration.ofSeconds(1));
    }
}
