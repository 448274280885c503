package dev.waybill.controlplane.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;

import org.junit.jupiter.api.Test;

class CommitDescriptionTest {

    @Test
    void controlCharactersAreReplacedExceptLineBreaks() {
        CommitDescription commit = CommitDescription.of("A\u001b[31m\u0000B", "First\n\nsecond\tline\r\n", Instant.EPOCH);

        assertThat(commit).isEqualTo(new CommitDescription("A [31m B", "First\n\nsecond line", Instant.EPOCH));
    }

    @Test
    void longTextsAreTruncated() {
        CommitDescription commit = CommitDescription.of("a".repeat(5_000), "m".repeat(5_000), Instant.EPOCH);

        assertThat(commit.author()).hasSize(CommitDescription.MAX_AUTHOR_LENGTH + 1).endsWith("…");
        assertThat(commit.message()).hasSize(CommitDescription.MAX_MESSAGE_LENGTH + 1).endsWith("…");
    }
}
