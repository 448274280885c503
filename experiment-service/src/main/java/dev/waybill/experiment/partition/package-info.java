/**
 * The partitions of the table of runs, one for each month: made ahead by a timer, and on demand when runs of another time come.
 * Apart from the runs themselves, because making one must not happen in the transaction that needs it.
 */
@NullMarked
package dev.waybill.experiment.partition;

import org.jspecify.annotations.NullMarked;
