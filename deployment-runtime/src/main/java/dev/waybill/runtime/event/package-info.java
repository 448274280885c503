/**
 * A run's events on their way: numbered, kept as long as somebody needs them, and messages put together from their pieces.
 */
@NullMarked
package dev.waybill.runtime.event;

import org.jspecify.annotations.NullMarked;
