package dev.waybill.common.idempotency;

import java.util.UUID;

/**
 * Where an idempotency key counts.
 *
 * @param scope the workspace; the organization for calls about none; zero for the operator
 * @param operation method and path
 * @param key what the client sent
 */
record IdempotencyKey(UUID scope, String operation, String key) {
}
