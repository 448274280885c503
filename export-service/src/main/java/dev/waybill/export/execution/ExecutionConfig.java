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
interface ExecutionConfig {

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

    /** How many runs are written at once by this replica; each needs memory for a row group and some parts. */
    @WithDefault("2")
    int concurrentRuns();

    /** About the largest size of a file; a day with more becomes several, and a retry goes on behind the last whole one. */
    @WithDefault("256M")
    MemorySize fileSize();

    /** The largest size of a row group, held in memory until it is whole; less when the heap is small. */
    @WithDefault("64M")
    MemorySize rowGroupSize();

    /** The largest row that is exported whole, all of its texts together; less when the heap is small. */
    @WithDefault("64M")
    MemorySize rowSize();

    /** How large what is written may be. */
    default FileLimits fileLimits() {
        return FileLimits.of(Runtime.getRuntime().maxMemory() / Math.max(1, concurrentRuns()), rowSize().asLongValue(),
                rowGroupSize().asLongValue(), fileSize().asLongValue());
    }

    /** How leases are kept. */
    default LeaseTiming leaseTiming() {
        return new LeaseTiming(lease(), heartbeat());
    }

    /** How long to wait before trying again. */
    default RetryPauses pauses() {
        return new RetryPauses(firstPause(), longestPause());
    }
}
