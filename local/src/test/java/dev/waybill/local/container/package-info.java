/** Images without a container engine: what a Dockerfile would put together, put together and started. */
@NullMarked
package dev.waybill.local.container;

import org.jspecify.annotations.NullMarked;
