package dev.waybill.controlplane.rollout.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShortenedTest {

    @Test
    void ofAReasonTheFirstLineAndTheLastWordsAreKept() {
        // Given
        String reason = "The command \"npm ci\" ended with exit code 1. Its last lines:\n" + "x".repeat(20_000)
                + "\nnpm error: no such package";

        // When
        String shortened = Shortened.reason(reason);

        // Then
        assertThat(shortened).hasSize(Shortened.LONGEST)
                .startsWith("The command \"npm ci\" ended with exit code 1. Its last lines:\n…\n")
                .endsWith("\nnpm error: no such package");
    }

    @Test
    void aReasonOfOneLongLineKeepsBothEnds() {
        assertThat(Shortened.reason("begin" + "x".repeat(9_000) + "end")).hasSize(Shortened.LONGEST).startsWith("begin")
                .endsWith("end");
    }

    @Test
    void whatIsShortStaysAsItIs() {
        assertThat(Shortened.reason("short\nand clear")).isEqualTo("short\nand clear");
        assertThat(Shortened.line("short")).isEqualTo("short");
        assertThat(Shortened.line("x".repeat(5_000))).hasSize(Shortened.LONGEST + 1);
    }
}
