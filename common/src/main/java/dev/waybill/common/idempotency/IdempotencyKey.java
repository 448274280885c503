package dev.waybill.common.idempotency;

import java.util.UUID;

/**
 * The scope within which an idempotency key is unique.
 *
 * @param scope the workspace; the organization for operations without workspace; zero for the operator
 * @param operation method and path
 * @param value value of the header
 */
record IdempotencyKey(UUID scope, String operation, String value) {
}
