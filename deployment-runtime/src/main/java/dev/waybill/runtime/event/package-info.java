/**
 * Events of a run: numbered, buffered until all readers have read them, and messages assembled from chunks.
 */
@NullMarked
package dev.waybill.runtime.event;

import org.jspecify.annotations.NullMarked;
