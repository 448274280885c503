/**
 * Traces of the runtime: sends every run with its steps to a trace store, if configured. Tracing must not delay or fail a run:
 * traces
 * are recorded in bounded memory and sent by a separate thread.
 */
@NullMarked
package dev.waybill.runtime.tracing;

import org.jspecify.annotations.NullMarked;
