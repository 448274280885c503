/**
 * Monthly partitions of the table of runs, created in advance by a timer and on demand for runs of other months. A package
 * of its own, because a partition must not be created in the transaction that needs it.
 */
@NullMarked
package dev.waybill.experiment.partition;

import org.jspecify.annotations.NullMarked;
