package dev.waybill.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTruncationTest {

    @Test
    void reasonKeepsItsFirstLineAndItsEnd() {
        // Given
        String reason = "The command \"npm ci\" ended with exit code 1. Its last lines:\n" + "x".repeat(20_000)
                + "\nnpm error: no such package";

        // When
        String shortened = StoredBuildLog.truncateReason(reason);

        // Then
        assertThat(shortened).hasSize(StoredBuildLog.MAX_LENGTH)
                .startsWith("The command \"npm ci\" ended with exit code 1. Its last lines:\n…\n")
                .endsWith("\nnpm error: no such package");
    }

    @Test
    void singleLongLineKeepsBothEnds() {
        assertThat(StoredBuildLog.truncateReason("begin" + "x".repeat(9_000) + "end")).hasSize(StoredBuildLog.MAX_LENGTH)
                .startsWith("begin")
                .endsWith("end");
    }

    @Test
    void shortTextIsUnchanged() {
        assertThat(StoredBuildLog.truncateReason("short\nand clear")).isEqualTo("short\nand clear");
        assertThat(StoredBuildLog.truncateLine("short")).isEqualTo("short");
        assertThat(StoredBuildLog.truncateLine("x".repeat(5_000))).hasSize(StoredBuildLog.MAX_LENGTH + 1);
    }
}
