package dev.waybill.common.id;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;

import jakarta.inject.Singleton;

/** Generates UUIDv7 (RFC 9562): ordered by creation time in milliseconds, with 74 random bits. */
@Singleton
public class Ids {

    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    public Ids(Clock clock) {
        this.clock = clock;
    }

    /** Returns a new id. */
    public UUID newId() {
        long high = (clock.millis() << 16) | 0x7000L | (random.nextInt() & 0x0fffL);
        long low = (random.nextLong() >>> 2) | 0x8000000000000000L;
        return new UUID(high, low);
    }
}
