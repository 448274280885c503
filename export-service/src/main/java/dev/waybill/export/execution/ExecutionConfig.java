package dev.waybill.export.execution;

import java.time.Duration;
import java.util.Optional;

import dev.waybill.common.lease.LeaseTiming;
import dev.waybill.export.run.FileLimits;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How this replica works on exports. */
@ConfigMapping(prefix = "waybill.export.execution")
interface ExecutionConfig extends FileLimits {

    /** How often the replica looks for work that nobody told it of. */
    @WithDefault("1s")
    Duration every();

    /** How often uploads that were left behind are aborted, and exports are ended whose time is over. */
    @WithDefault("5s")
    Duration sweepEvery();

    /** How often it is looked how much waits, for the metrics. */
    @WithDefault("10s")
    Duration measureEvery();

    /** How long a run stays with a replica that is not heard of any more. */
    @WithDefault("20s")
    Duration lease();

    /** How often the lease is renewed, progress noted, and with it how soon a cancelled run stops. */
    @WithDefault("2s")
    Duration heartbeat();

    /** The pause before a run's second attempt; it doubles with every further one. */
    @WithDefault("1s")
    Duration firstPause();

    /** The longest pause between two attempts. */
    @WithDefault("5m")
    Duration longestPause();

    /** How many bytes of rows a run reads from PostgreSQL in a second at most; without it as many as it can. */
    Optional<MemorySize> readRate();

    /** How leases are kept. */
    default LeaseTiming leaseTiming() {
        return new LeaseTiming(lease(), heartbeat());
    }

    /** How long to wait before trying again. */
    default RetryPauses pauses() {
        return new RetryPauses(firstPause(), longestPause());
    }
}
