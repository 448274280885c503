package dev.waybill.export.run;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How large what an export writes may be, as far as the heap allows. */
@ConfigMapping(prefix = "waybill.export.execution")
public interface FileLimits {

    /** The share of a run's heap that its row group may take; the rest is parts, open pages and everything else. */
    int ROW_GROUP_SHARE = 4;

    /** The share of a run's heap that one row may take: the driver holds it whole. */
    int ROW_SHARE = 4;

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

    /** The most bytes of text in a row; texts of a larger one are replaced. */
    default long maxRowBytes() {
        return Math.min(rowSize().asLongValue(), heap() / ROW_SHARE);
    }

    /** The most bytes of a row group. */
    default long maxRowGroupBytes() {
        return Math.min(rowGroupSize().asLongValue(), heap() / ROW_GROUP_SHARE);
    }

    /** About the most bytes of a file. */
    default long maxFileBytes() {
        return Math.max(fileSize().asLongValue(), maxRowGroupBytes());
    }

    private long heap() {
        return Runtime.getRuntime().maxMemory() / Math.max(1, concurrentRuns());
    }
}
