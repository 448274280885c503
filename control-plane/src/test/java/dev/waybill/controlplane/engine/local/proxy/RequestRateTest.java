package dev.waybill.controlplane.engine.local.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestRateTest {

    @ParameterizedTest
    @ValueSource(longs = { 0, 1_000, -61, -1 })
    void countsTheRequestsOfTheLastMinute(long start) {
        // Given
        AtomicLong seconds = new AtomicLong(start);
        RequestRate rate = new RequestRate(() -> TimeUnit.SECONDS.toNanos(seconds.get()));

        // When
        for (int i = 0; i < 90; i++) {
            rate.count();
            rate.count();
            seconds.incrementAndGet();
        }

        // Then: 59 complete seconds and the current one
        assertThat(rate.perMinute()).isEqualTo(118);
        seconds.addAndGet(29);
        assertThat(rate.perMinute()).isEqualTo(60);
    }

    @Test
    void longPauseEndsAllSeconds() {
        AtomicLong seconds = new AtomicLong();
        RequestRate rate = new RequestRate(() -> TimeUnit.SECONDS.toNanos(seconds.get()));
        rate.count();

        seconds.set(100_000);

        assertThat(rate.perMinute()).isZero();
        rate.count();
        assertThat(rate.perMinute()).isOne();
    }
}
