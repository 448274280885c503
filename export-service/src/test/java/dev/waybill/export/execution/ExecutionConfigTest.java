package dev.waybill.export.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.waybill.export.run.FileLimits;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Tests how the heap is divided between concurrent writers. */
class ExecutionConfigTest {

    private static final long MIB = 1 << 20;
    private static final ExecutionConfig DEFAULTS = new SmallRyeConfigBuilder().addDiscoveredConverters()
            .withMapping(ExecutionConfig.class).build().getConfigMapping(ExecutionConfig.class);

    @Test
    void compactionsGetAShareOfTheHeap() {
        FileLimits limits = DEFAULTS.fileLimits(288 * MIB, true);

        assertThat(limits.maxRowBytes()).isEqualTo(24 * MIB);
        assertThat(limits.maxRowGroupBytes()).isEqualTo(24 * MIB);
    }

    @Test
    void compactionsWithTheirHeapLeaveExportsTheirLimits() {
        assertThat(DEFAULTS.fileLimits(288 * MIB, true)).isEqualTo(DEFAULTS.fileLimits(192 * MIB, false));
    }
}
