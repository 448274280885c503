package dev.waybill.export.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.time.Duration;

import org.junit.jupiter.api.Test;

class ReadRateLimitTest {

    private static final int MEGABYTE = 1_000_000;

    private long now = Long.MAX_VALUE - 100;

    @Test
    void fastReaderSleepsUntilDue() throws InterruptedIOException {
        long start = now;
        ReadRateLimit limit = limit(MEGABYTE);

        for (int row = 0; row < 5_000; row++) {
            limit.acquire(1_000);
        }

        assertThat(Duration.ofNanos(now - start)).isBetween(Duration.ofMillis(4_990), Duration.ofMillis(5_010));
    }

    @Test
    void largeRowDelaysImmediately() throws InterruptedIOException {
        long start = now;

        limit(MEGABYTE).acquire(8 * MEGABYTE);

        assertThat(now - start).isEqualTo(Duration.ofSeconds(8).toNanos());
    }

    @Test
    void idleTimeIsNotFollowedByABurst() throws InterruptedIOException {
        ReadRateLimit limit = limit(MEGABYTE);
        now += Duration.ofMinutes(1).toNanos();
        limit.acquire(1_000);
        long resumeAfter = now;

        limit.acquire(MEGABYTE);

        assertThat(now - resumeAfter).isEqualTo(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void unlimitedReaderNeverSleeps() throws InterruptedIOException {
        long start = now;

        limit(0).acquire(Integer.MAX_VALUE);

        assertThat(now).isEqualTo(start);
    }

    @Test
    void interruptEndsSleepAndRead() {
        ReadRateLimit limit = ReadRateLimit.of(1, () -> 0, nanos -> {
            throw new InterruptedException();
        });

        assertThatThrownBy(() -> limit.acquire(1_000)).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    private ReadRateLimit limit(long bytesPerSecond) {
        return ReadRateLimit.of(bytesPerSecond, () -> now, nanos -> now += nanos);
    }
}
