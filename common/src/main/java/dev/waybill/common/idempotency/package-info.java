/**
 * {@code Idempotency-Key} (contract.md "Everywhere"): a client that does not know whether its creating POST arrived sends
 * it again with the same key, and nothing is made twice.
 */
@NullMarked
package dev.waybill.common.idempotency;

import org.jspecify.annotations.NullMarked;
