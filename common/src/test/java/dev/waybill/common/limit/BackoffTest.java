package dev.waybill.common.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {

    private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

    @ParameterizedTest
    @CsvSource({ "1, 500, 1000", "2, 1000, 2000", "5, 8000, 16000", "9, 128000, 256000", "10, 150000, 300000",
            "2000000000, 150000, 300000" })
    void delayDoublesUpToMaximumWithJitter(int failures, long expectedMin, long expectedMax) {
        // When
        Duration min = backoff.delay(failures, 0);
        Duration max = backoff.delay(failures, 1);

        // Then
        assertThat(min.toMillis()).isEqualTo(expectedMin);
        assertThat(max.toMillis()).isEqualTo(expectedMax);
    }

    @Test
    void delayWithoutJitterDoublesUpToMaximum() {
        // Given
        Backoff restarts = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(1));

        // Then
        assertThat(IntStream.rangeClosed(1, 5).mapToObj(restarts::delay).map(Duration::toMillis))
                .containsExactly(200L, 400L, 800L, 1000L, 1000L);
    }

    @Test
    void twentyAttemptsFitIntoRunTimeout() {
        // When
        Duration all = Duration.ZERO;
        for (int failures = 1; failures < 20; failures++) {
            all = all.plus(backoff.delay(failures, 1));
        }

        // Then
        assertThat(all).isLessThan(Duration.ofHours(2));
    }
}
