/**
 * Images without a container engine: what a Dockerfile would put together, put together and started; for tests and measures.
 */
@NullMarked
package dev.waybill.local.container;

import org.jspecify.annotations.NullMarked;
