package dev.waybill.common.limit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A token bucket for one client, stored as a single number (GCRA): each request moves the time at which the bucket is full
 * again; a request that would move it beyond the burst must wait. Times are nanoseconds of one monotonic clock.
 */
public final class TokenBucket {

    private final AtomicLong fullAt;

    public TokenBucket(long now) {
        this.fullAt = new AtomicLong(now);
    }

    /**
     * Takes a token if one is available.
     *
     * @param interval nanoseconds between requests at the sustained rate
     * @param burst number of requests that may arrive together
     * @return 0 if a token was taken, otherwise the nanoseconds until one is available
     */
    public long take(long now, long interval, int burst) {
        while (true) {
            long full = fullAt.get();
            long next = Math.max(full - now, 0) + interval;
            long over = next - interval * burst;
            if (over > 0) {
                return over;
            }
            if (fullAt.compareAndSet(full, now + next)) {
                return 0;
            }
        }
    }

    /** Returns a token that was taken. */
    public void release(long interval) {
        fullAt.addAndGet(-interval);
    }
}
