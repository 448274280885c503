package dev.waybill.export.storage;

import java.time.Duration;

/** How long and how often a call to a store is tried. */
record CallLimits(Duration attempt, Duration call, int attempts) {

    /** For the check of a destination, which must answer its user soon and tell the first fault. */
    static final CallLimits PROBE = new CallLimits(Duration.ofSeconds(10), Duration.ofSeconds(10), 1);

    static CallLimits from(StorageConfig config) {
        return new CallLimits(config.attemptTimeout(), config.callTimeout(), config.attempts());
    }
}
