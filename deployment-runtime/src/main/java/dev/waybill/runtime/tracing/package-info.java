/**
 * The runtime's own traces: every run with its steps goes to a trace store, if one is configured. Nothing here may
 * slow or fail a run: what is known of it is put aside in bounded memory, and one thread of its own writes and sends it.
 */
@NullMarked
package dev.waybill.runtime.tracing;

import org.jspecify.annotations.NullMarked;
