/**
 * Retention of runs, by the tier of their session: expired runs are deleted in small batches, then empty monthly partitions
 * are dropped. A package of its own, because no other feature uses it.
 */
@NullMarked
package dev.waybill.experiment.retention;

import org.jspecify.annotations.NullMarked;
