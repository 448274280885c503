package dev.waybill.common.edge;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How fast one key asks (GCRA, a token bucket in one number): each request moves the time at which the bucket would be full
 * again, and one that would move it too far ahead is to wait. Times are nanoseconds of one clock.
 */
final class TokenBucket {

    private final AtomicLong fullAt;

    TokenBucket(long now) {
        this.fullAt = new AtomicLong(now);
    }

    /**
     * Takes one request, if the pace allows it.
     *
     * @param interval between requests that go on for ever
     * @param burst how many may come at once
     * @return 0 when it was taken, else after how long one may be
     */
    long take(long now, long interval, int burst) {
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

    /** Takes back one request that was taken. */
    void release(long interval) {
        fullAt.addAndGet(-interval);
    }
}
