package dev.waybill.export.preview;

import java.time.Instant;

/**
 * Runs of one class in one slice of the range, a random part of those that were measured.
 *
 * @param weight how many runs of the range each of them stands for
 * @param bytes of text
 * @param storedBytes of the same text as PostgreSQL stores it
 * @param truncatedRows how many are larger than a row of an export may be
 * @param sampleStart the start of one of them, chosen at random by size
 */
record MeasuredGroup(SizeClass sizeClass, double weight, long rows, long bytes, long storedBytes, long truncatedRows,
        Instant sampleStart) {

    MeasuredGroup withWeight(double other) {
        return new MeasuredGroup(sizeClass, other, rows, bytes, storedBytes, truncatedRows, sampleStart);
    }
}
