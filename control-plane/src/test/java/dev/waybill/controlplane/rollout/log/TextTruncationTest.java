package dev.waybill.controlplane.rollout.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTruncationTest {

    @Test
    void reasonKeepsItsFirstLineAndItsEnd() {
        // Given
        String reason = "The command \"npm ci\" ended with exit code 1. Its last lines:\n" + "x".repeat(20_000)
                + "\nnpm error: no such package";

        // When
        String shortened = TextTruncation.reason(reason);

        // Then
        assertThat(shortened).hasSize(TextTruncation.MAX_LENGTH)
                .startsWith("The command \"npm ci\" ended with exit code 1. Its last lines:\n…\n")
                .endsWith("\nnpm error: no such package");
    }

    @Test
    void singleLongLineKeepsBothEnds() {
        assertThat(TextTruncation.reason("begin" + "x".repeat(9_000) + "end")).hasSize(TextTruncation.MAX_LENGTH)
                .startsWith("begin")
                .endsWith("end");
    }

    @Test
    void shortTextIsUnchanged() {
        assertThat(TextTruncation.reason("short\nand clear")).isEqualTo("short\nand clear");
        assertThat(TextTruncation.line("short")).isEqualTo("short");
        assertThat(TextTruncation.line("x".repeat(5_000))).hasSize(TextTruncation.MAX_LENGTH + 1);
    }
}
