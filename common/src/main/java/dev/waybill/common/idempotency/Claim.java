package dev.waybill.common.idempotency;

import java.util.UUID;

/**
 * The right to do the work of one use of a key.
 *
 * @param id of the use; what is sealed is bound to it
 * @param attempt which one this is; whoever has an older one may not write any more
 */
record Claim(IdempotencyKey use, UUID id, int attempt) {
}
