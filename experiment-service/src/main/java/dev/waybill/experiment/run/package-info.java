/**
 * Runs of traces: parses them from JSON without building trees, validates and completes them, and writes and reads them
 * in batches, in monthly partitions. Used by trace intake and experiment upload.
 */
@NullMarked
package dev.waybill.experiment.run;

import org.jspecify.annotations.NullMarked;
