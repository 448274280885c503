package dev.waybill.export.preview;

/**
 * Runs of one size class, sampled from the whole range and written like the export.
 *
 * @param blocks the number of blocks with runs of the class
 * @param storedBytes the size of their texts in PostgreSQL
 * @param textBytes the size of their long texts in the file
 * @param otherBytes the size of their other columns in the file
 * @param fileBytes the size of the rest of the file
 */
record SizeClassSample(SizeClass sizeClass, int blocks, long rows, long storedBytes, long textBytes, long otherBytes,
        long fileBytes,
        RepetitionStats repetition) {
}
