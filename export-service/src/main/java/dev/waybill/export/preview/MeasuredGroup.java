package dev.waybill.export.preview;

import java.time.Instant;

/**
 * Runs of one size class in one slice of the range, a random subset of the measured runs.
 *
 * @param weight the number of runs of the range that each run represents
 * @param bytes the size of the texts
 * @param storedBytes the size of the same texts as stored in PostgreSQL
 * @param truncatedRows the number of runs above the maximum row size of an export
 * @param sampleStart the start time of one of them, chosen randomly by size
 */
record MeasuredGroup(SizeClass sizeClass, double weight, long rows, long bytes, long storedBytes, long truncatedRows,
        Instant sampleStart) {

    MeasuredGroup withWeight(double other) {
        return new MeasuredGroup(sizeClass, other, rows, bytes, storedBytes, truncatedRows, sampleStart);
    }
}
