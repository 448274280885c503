package dev.waybill.common.edge;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** Token buckets for clients that share one limit. The number of stored buckets is bounded. */
final class ClientRateLimits {

    private final int perSecond;
    private final int burst;
    private final long interval;
    private final Cache<String, TokenBucket> buckets;
    private final LongSupplier nanoTime;

    /** @param perSecond 0 disables the limit */
    ClientRateLimits(String property, int perSecond, int burst, int maxEntries, LongSupplier nanoTime) {
        if (perSecond < 0 || burst < 1) {
            throw new IllegalStateException(property + " must be 0 (no limit) or more, and the burst at least 1");
        }
        this.perSecond = perSecond;
        this.burst = burst;
        this.interval = perSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.nanoTime = nanoTime;
        this.buckets = Caffeine.newBuilder().maximumSize(maxEntries).build();
    }

    boolean isLimited() {
        return perSecond > 0;
    }

    int perSecond() {
        return perSecond;
    }

    /** Takes a token for a request of the client. Returns 0, or the nanoseconds until the next token is available. */
    long take(String client) {
        if (!isLimited()) {
            return 0;
        }
        long now = nanoTime.getAsLong();
        return buckets.get(client, ignored -> new TokenBucket(now)).take(now, interval, burst);
    }

    /** Returns the token of a request that does not count. */
    void release(String client) {
        TokenBucket bucket = buckets.getIfPresent(client);
        if (bucket != null) {
            bucket.release(interval);
        }
    }
}
