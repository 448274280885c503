package dev.waybill.export.storage;

import java.time.Duration;

/** How long and how often a call to a store is tried. */
record RetryPolicy(Duration attemptTimeout, Duration callTimeout, int maxAttempts) {

    /** For the check of a destination, which must answer its user soon and tell the first fault. */
    static final RetryPolicy PROBE = new RetryPolicy(Duration.ofSeconds(10), Duration.ofSeconds(10), 1);

    static RetryPolicy from(StorageConfig config) {
        return new RetryPolicy(config.attemptTimeout(), config.callTimeout(), MAX_ATTEMPTS);
    }
}
