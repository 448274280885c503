/**
 * {@code ./verify bench}: what Waybill costs, as ratios to what the same rows cost elsewhere, measured in CPU-seconds of every
 * process in the path (docs/performance.md has the method and the last figures). Nothing else uses this package.
 */
@NullMarked
package dev.waybill.local.bench;

import org.jspecify.annotations.NullMarked;
