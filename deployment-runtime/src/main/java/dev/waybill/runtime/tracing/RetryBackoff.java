package dev.waybill.runtime.tracing;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Exponential backoff with jitter between attempts to send a batch. */
final class RetryBackoff {

    private static final long INITIAL_MILLIS = 500;
    private static final long MAX_MILLIS = 30_000;
    /** Maximum {@code Retry-After} that is honoured. */
    private static final Duration MAX_RETRY_AFTER = Duration.ofMinutes(5);

    private RetryBackoff() {
    }

    /** @param attempt number of failed attempts, at least 1 */
    static Duration delay(int attempt, Duration retryAfter, RandomGenerator random) {
        long max = Math.min(MAX_MILLIS, INITIAL_MILLIS << Math.min(attempt - 1, 20));
        Duration backoff = Duration.ofMillis(random.nextLong(max / 2, max + 1));
        Duration requested = retryAfter.compareTo(MAX_RETRY_AFTER) < 0 ? retryAfter : MAX_RETRY_AFTER;
        return backoff.compareTo(requested) < 0 ? requested : backoff;
    }
}
