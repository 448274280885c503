package dev.waybill.common.idempotency;

import java.time.Duration;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The stored state of an idempotency key.
 *
 * @param request encrypted fingerprint of the first request
 * @param createdId id of the created resource after its transaction has committed
 * @param response encrypted response, if it is already stored
 * @param leaseLeft remaining time of the lease; zero or negative if it has expired
 */
record IdempotencyRecord(Claim claim, byte[] request, @Nullable UUID createdId, byte @Nullable [] response,
        Duration leaseLeft) {

    boolean isInProgress() {
        return leaseLeft.isPositive();
    }
}
