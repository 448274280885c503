package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

class RestartsTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final Restarts restarts = new Restarts(Duration.ofSeconds(10), now::get);
    private final UUID revision = UUID.randomUUID();

    @Test
    void pausesGrowUpToTheLongest() {
        // When
        List<Duration> pauses = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            restarts.started(revision);
            pauses.add(restarts.pause(revision));
            pass(restarts.pause(revision));
        }

        // Then
        assertThat(pauses).extracting(Duration::toSeconds).containsExactly(1L, 2L, 4L, 8L, 10L, 10L);
        assertThat(restarts.pause(revision)).isZero();
    }

    @Test
    void whatStayedAWhileBeginsAnew() {
        // Given
        restarts.started(revision);
        restarts.started(revision);

        // When
        pass(Duration.ofMinutes(3));

        // Then
        assertThat(restarts.started(revision)).isOne();
        assertThat(restarts.pause(revision)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void nothingIsRememberedOfThoseThatStayed() {
        // Given
        for (int i = 0; i < 100; i++) {
            restarts.started(UUID.randomUUID());
        }

        // When
        pass(Duration.ofMinutes(3));
        restarts.started(revision);

        // Then
        assertThat(restarts.size()).isOne();
    }

    @Test
    void theFirstTimeThereIsNoPause() {
        assertThat(restarts.pause(revision)).isZero();
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
