/**
 * {@code Idempotency-Key}: a client that does not know whether its creating POST arrived repeats it with the same key, and no
 * resource is created twice.
 */
@NullMarked
package dev.waybill.common.idempotency;

import org.jspecify.annotations.NullMarked;
