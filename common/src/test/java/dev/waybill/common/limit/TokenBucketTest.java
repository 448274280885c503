package dev.waybill.common.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class TokenBucketTest {

    private static final long INTERVAL = 100;
    private static final int BURST = 5;
    private static final int BEFORE_OVERFLOW = 250;

    private final long start = Math.subtractExact(Long.MAX_VALUE, BEFORE_OVERFLOW);
    private final TokenBucket bucket = new TokenBucket(start);

    @Test
    void rejectsRequestsBeyondTheBurst() {
        // Given
        IntStream.range(0, BURST).forEach(i -> assertThat(take(start)).isZero());

        // When / Then: also across the overflow of the clock's value
        assertThat(take(start)).isEqualTo(INTERVAL);
        assertThat(take(start + INTERVAL - 1)).isEqualTo(1);
        assertThat(take(start + INTERVAL)).isZero();
        assertThat(take(start + INTERVAL)).isEqualTo(INTERVAL);
    }

    @Test
    void acceptsRequestsAtTheSustainedRate() {
        for (int i = 0; i < 1000; i++) {
            assertThat(take(start + i * INTERVAL)).isZero();
        }
    }

    @Test
    void idlePeriodRefillsAtMostOneBurst() {
        // Given
        long later = start + INTERVAL * 1_000_000;

        // When / Then
        IntStream.range(0, BURST).forEach(i -> assertThat(take(later)).isZero());
        assertThat(take(later)).isPositive();
    }

    @Test
    void rejectedRequestsTakeNoToken() {
        // Given
        IntStream.range(0, BURST).forEach(i -> take(start));
        IntStream.range(0, 1000).forEach(i -> take(start));

        // When / Then
        assertThat(take(start + INTERVAL)).isZero();
    }

    private long take(long now) {
        return bucket.take(now, INTERVAL, BURST);
    }
}
