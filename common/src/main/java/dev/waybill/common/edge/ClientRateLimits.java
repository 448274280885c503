package dev.waybill.common.edge;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** The rates of many clients with one limit; the number of clients that are stored is bounded. */
final class ClientRateLimits {

    private final int perSecond;
    private final int burst;
    private final long interval;
    private final Cache<String, TokenBucket> rates;
    private final LongSupplier nanoTime;

    /** @param perSecond 0 for no limit */
    ClientRateLimits(String property, int perSecond, int burst, int maxEntries, LongSupplier nanoTime) {
        if (perSecond < 0 || burst < 1) {
            throw new IllegalStateException(property + " must be 0 (no limit) or more, and the burst at least 1");
        }
        this.perSecond = perSecond;
        this.burst = burst;
        this.interval = perSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.nanoTime = nanoTime;
        this.rates = Caffeine.newBuilder().maximumSize(maxEntries).build();
    }

    boolean isLimited() {
        return perSecond > 0;
    }

    int perSecond() {
        return perSecond;
    }

    /** Counts a request of the client; returns 0, or after how many nanoseconds the client may send it. */
    long take(String client) {
        if (!isLimited()) {
            return 0;
        }
        long now = nanoTime.getAsLong();
        return rates.get(client, ignored -> new TokenBucket(now)).take(now, interval, burst);
    }

    /** Removes a request of the client from its count. */
    void release(String client) {
        TokenBucket pace = rates.getIfPresent(client);
        if (pace != null) {
            pace.release(interval);
        }
    }
}
