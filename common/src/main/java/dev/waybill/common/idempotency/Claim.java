package dev.waybill.common.idempotency;

import java.util.UUID;

/**
 * The right to execute the operation for an idempotency key.
 *
 * @param id id of the record; stored ciphertexts are bound to it
 * @param attempt number of the attempt; a holder of an older attempt cannot write any more
 */
record Claim(IdempotencyKey key, UUID id, int attempt) {
}
