/**
 * {@code ./verify soak --streams}: tests a runtime with 256 MiB of heap and many clients, some of which read slowly, disconnect
 * or
 * stay idle, and verifies every stream. The end-to-end tests run a shorter version.
 */
@NullMarked
package dev.waybill.soak.streams;

import org.jspecify.annotations.NullMarked;
