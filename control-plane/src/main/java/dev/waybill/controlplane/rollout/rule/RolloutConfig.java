package dev.waybill.controlplane.rollout.rule;

import java.time.Duration;

import dev.waybill.common.lease.LeaseTiming;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How this replica moves revisions, and how long each step may take. */
@ConfigMapping(prefix = "waybill.rollout")
public interface RolloutConfig {

    /** How often the replica looks for work that nobody told it of. */
    @WithDefault("1s")
    Duration every();

    /**
     * How many deployments this replica rolls out at once. As many others may be looked after, stopped or removed meanwhile.
     */
    @WithDefault("16")
    int concurrent();

    /** How many of them may be of one workspace, in all replicas together. */
    @WithDefault("8")
    int concurrentPerWorkspace();

    /** How long a deployment stays with a replica that is not heard of any more. */
    @WithDefault("15s")
    Duration lease();

    /** How often the lease is renewed and the log stored, and so how soon work that was taken away ends. */
    @WithDefault("1s")
    Duration heartbeat();

    /** How long a source may take to be resolved, tries included; waiting for a place before the first is not. */
    @WithDefault("60s")
    Duration resolveTime();

    /** How long a revision may take to be built, tries included. */
    @WithDefault("15m")
    Duration buildTime();

    /** How long a revision may take to become healthy, tries included. */
    @WithDefault("5m")
    Duration deployTime();

    /** How long one try of stopping or observing may take; both are tried again. */
    @WithDefault("60s")
    Duration callTime();

    /** The pause before a second try; it doubles with every further one. */
    @WithDefault("1s")
    Duration firstPause();

    /** The longest pause between two tries. */
    @WithDefault("30s")
    Duration longestPause();

    /** How often it is looked how rollouts stand, for the metrics. */
    @WithDefault("10s")
    Duration measureEvery();

    /** How often a deployment that serves is observed although its engine told of no change. */
    @WithDefault("5m")
    Duration observeEvery();

    /** How often a deployment that does not serve is observed. */
    @WithDefault("5s")
    Duration observeFailingEvery();

    /** How leases are kept. */
    default LeaseTiming leaseTiming() {
        return new LeaseTiming(lease(), heartbeat());
    }
}
