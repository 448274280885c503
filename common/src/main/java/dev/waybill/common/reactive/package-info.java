/**
 * The one bridge from the event loop to work that blocks.
 */
@NullMarked
package dev.waybill.common.reactive;

import org.jspecify.annotations.NullMarked;
