package dev.waybill.common.idempotency;

import java.time.Duration;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What the table knows of a use of a key.
 *
 * @param request the sealed fingerprint of the first request
 * @param createdId what was made, once the creating transaction has committed
 * @param answer the sealed answer, once it is stored
 * @param leaseLeft how long the lease of whoever does the work still runs; zero or less once it is over
 */
record IdempotencyRecord(Claim claim, byte[] request, @Nullable UUID createdId, byte @Nullable [] answer, Duration leaseLeft) {

    boolean underWay() {
        return leaseLeft.isPositive();
    }
}
