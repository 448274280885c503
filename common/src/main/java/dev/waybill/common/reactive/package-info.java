/** Bridges from the event loop to blocking work, and limits for concurrent work. */
@NullMarked
package dev.waybill.common.reactive;

import org.jspecify.annotations.NullMarked;
