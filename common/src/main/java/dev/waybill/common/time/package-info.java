/** Timestamps of the wire format, and the clock. */
@NullMarked
package dev.waybill.common.time;

import org.jspecify.annotations.NullMarked;
