/**
 * Reads and writes the lines of the worker protocol (docs/worker-protocol.md). Any input yields a message, or an
 * {@link dev.waybill.runtime.protocol.Message.Invalid} with the reason.
 */
@NullMarked
package dev.waybill.runtime.protocol;

import org.jspecify.annotations.NullMarked;
