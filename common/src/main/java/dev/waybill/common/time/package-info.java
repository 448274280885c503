/**
 * Timestamps on the wire and the clock everything reads.
 */
@NullMarked
package dev.waybill.common.time;

import org.jspecify.annotations.NullMarked;
