/**
 * Benchmarks of streamed runs (S1 to S4 of docs/performance.md) with the runtime in a separate process, without a
 * stack. Baseline servers only send the same events.
 */
@NullMarked
package dev.waybill.bench.streams;

import org.jspecify.annotations.NullMarked;
