/**
 * {@code ./verify bench}: measures the cost of Waybill relative to reference implementations of the same work, in
 * CPU-seconds of all involved processes. docs/performance.md describes the method and the latest results.
 */
@NullMarked
package dev.waybill.bench;

import org.jspecify.annotations.NullMarked;
