package dev.waybill.export.storage;

import java.time.Duration;

/** Timeouts and number of attempts of a call to a store. */
record RetryPolicy(Duration attemptTimeout, Duration callTimeout, int maxAttempts) {

    private static final int MAX_ATTEMPTS = 3;

    /** For the validation of a destination, which must return its first failure quickly. */
    static final RetryPolicy PROBE = new RetryPolicy(Duration.ofSeconds(10), Duration.ofSeconds(10), 1);

    static RetryPolicy from(StorageConfig config) {
        return new RetryPolicy(config.attemptTimeout(), config.callTimeout(), MAX_ATTEMPTS);
    }
}
