package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.controlplane.engine.local.ApplicationProcess.ProcessLimits;

class ProcessLimitsTest {

    private static final ResourceSpec NOTHING = new ResourceSpec(null, null, null, null, null, null);
    private static final ResourceSpec MEMORY = new ResourceSpec(null, null, null, null, null, 200);

    @Test
    void heapIsAtMostHalfOfTheMemoryLimit() {
        assertThat(ProcessLimits.of(MEMORY, 128L << 20)).isEqualTo(new ProcessLimits(100L << 20, 200L << 20));
        assertThat(ProcessLimits.of(MEMORY, 64L << 20)).isEqualTo(new ProcessLimits(64L << 20, 200L << 20));
        assertThat(ProcessLimits.of(NOTHING, 64L << 20)).isEqualTo(new ProcessLimits(64L << 20, null));
    }

    @Test
    void reportsUnsupportedLimits() {
        assertThat(ProcessLimits.describeUnsupported(NOTHING, true)).isEmpty();
        assertThat(ProcessLimits.describeUnsupported(MEMORY, true))
                .hasValueSatisfying(warning -> assertThat(warning).contains("each process"));
        assertThat(ProcessLimits.describeUnsupported(MEMORY, false))
                .hasValueSatisfying(warning -> assertThat(warning).endsWith("have no effect: memory_limit_mb."));
    }
}
