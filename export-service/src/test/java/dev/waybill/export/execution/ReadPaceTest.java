package dev.waybill.export.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.time.Duration;

import org.junit.jupiter.api.Test;

class ReadPaceTest {

    private static final int MEGABYTE = 1_000_000;

    private long now = Long.MAX_VALUE - 100;

    @Test
    void aReaderThatIsTooQuickRestsUntilItIsDue() throws InterruptedIOException {
        long began = now;
        ReadPace pace = pace(MEGABYTE);

        for (int row = 0; row < 5_000; row++) {
            pace.read(1_000);
        }

        assertThat(Duration.ofNanos(now - began)).isBetween(Duration.ofMillis(4_990), Duration.ofMillis(5_010));
    }

    @Test
    void aLargeRowIsPaidForAtOnce() throws InterruptedIOException {
        long began = now;

        pace(MEGABYTE).read(8 * MEGABYTE);

        assertThat(now - began).isEqualTo(Duration.ofSeconds(8).toNanos());
    }

    @Test
    void timeLostElsewhereIsNotMadeGoodForByABurst() throws InterruptedIOException {
        ReadPace pace = pace(MEGABYTE);
        now += Duration.ofMinutes(1).toNanos();
        pace.read(1_000);
        long resumed = now;

        pace.read(MEGABYTE);

        assertThat(now - resumed).isEqualTo(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void withoutAPaceNobodyRests() throws InterruptedIOException {
        long began = now;

        pace(0).read(Integer.MAX_VALUE);

        assertThat(now).isEqualTo(began);
    }

    @Test
    void anInterruptEndsTheRestAndTheReading() {
        ReadPace pace = ReadPace.of(1, () -> 0, nanos -> {
            throw new InterruptedException();
        });

        assertThatThrownBy(() -> pace.read(1_000)).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    private ReadPace pace(long bytesPerSecond) {
        return ReadPace.of(bytesPerSecond, () -> now, nanos -> now += nanos);
    }
}
