package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

class RestartBackoffTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final RestartBackoff backoff = new RestartBackoff(Duration.ofSeconds(10), now::get);
    private final UUID revision = UUID.randomUUID();

    @Test
    void delayDoublesUpToTheMaximum() {
        // When
        List<Duration> delays = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            backoff.recordStart(revision);
            delays.add(backoff.remainingDelay(revision));
            advance(backoff.remainingDelay(revision));
        }

        // Then
        assertThat(delays).extracting(Duration::toSeconds).containsExactly(1L, 2L, 4L, 8L, 10L, 10L);
        assertThat(backoff.remainingDelay(revision)).isZero();
    }

    @Test
    void stableRevisionResetsTheBackoff() {
        // Given
        backoff.recordStart(revision);
        backoff.recordStart(revision);

        // When
        advance(Duration.ofMinutes(3));

        // Then
        assertThat(backoff.recordStart(revision)).isOne();
        assertThat(backoff.remainingDelay(revision)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void removesEntriesOfStableRevisions() {
        // Given
        for (int i = 0; i < 100; i++) {
            backoff.recordStart(UUID.randomUUID());
        }

        // When
        advance(Duration.ofMinutes(3));
        backoff.recordStart(revision);

        // Then
        assertThat(backoff.size()).isOne();
    }

    @Test
    void firstRestartHasNoDelay() {
        assertThat(backoff.remainingDelay(revision)).isZero();
    }

    private void advance(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
