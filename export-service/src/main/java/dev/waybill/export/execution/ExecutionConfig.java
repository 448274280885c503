package dev.waybill.export.execution;

import java.time.Duration;
import java.util.Optional;

import dev.waybill.common.job.LeaseTiming;
import dev.waybill.common.limit.Backoff;
import dev.waybill.export.run.FileLimits;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of export execution in this replica. */
@ConfigMapping(prefix = "waybill.export.execution")
public interface ExecutionConfig {

    /** Time after the last heartbeat of a replica until another replica takes over its runs. */
    @WithDefault("20s")
    Duration leaseTtl();

    /** Maximum delay between two attempts; the delay starts at 1 s and doubles with each attempt. */
    @WithDefault("5m")
    Duration maxBackoff();

    /** Maximum rate at which a run or a compaction reads rows from PostgreSQL, in bytes per second; unlimited by default. */
    Optional<MemorySize> maxReadRate();

    /** Maximum number of runs that the replica writes concurrently; each needs memory for a row group and upload parts. */
    @WithDefault("2")
    int maxConcurrentRuns();

    /** Approximate maximum size of a file; a larger day is split, and a retry continues after the last finished file. */
    @WithDefault("256M")
    MemorySize maxFileSize();

    /** Maximum size of a row group, which is buffered in memory; less when the heap is small. */
    @WithDefault("64M")
    MemorySize maxRowGroupSize();

    /** Maximum size of a row that is exported without truncation, all its texts together; less when the heap is small. */
    @WithDefault("64M")
    MemorySize maxRowSize();

    /**
     * Returns the size limits of rows, row groups and files.
     *
     * @param heapBytes maximum size of the heap
     * @param compacts whether a compaction of the lake writes a file beside the runs
     */
    default FileLimits fileLimits(long heapBytes, boolean compacts) {
        int writers = Math.max(1, maxConcurrentRuns()) + (compacts ? 1 : 0);
        return FileLimits.of(heapBytes / writers, maxRowSize().asLongValue(), maxRowGroupSize().asLongValue(),
                maxFileSize().asLongValue());
    }

    /** Returns the timing of leases. A renewal stores progress, and a cancelled run stops at the next one. */
    default LeaseTiming leaseTiming() {
        return LeaseTiming.of(leaseTtl(), Duration.ofSeconds(2));
    }

    /** Returns the maximum rate in bytes per second; 0 means unlimited. */
    default long readBytesPerSecond() {
        return maxReadRate().map(MemorySize::asLongValue).orElse(0L);
    }

    /** Returns the backoff between attempts. */
    default Backoff backoff() {
        return new Backoff(Duration.ofSeconds(1), maxBackoff());
    }
}
