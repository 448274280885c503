package dev.waybill.export.preview;

/**
 * Runs of one class, read from all over the range and written as the export would write them.
 *
 * @param blocks from how many places they come
 * @param storedBytes what their texts take in PostgreSQL
 * @param textBytes what their long texts took in the file
 * @param otherBytes what their other columns took in the file
 * @param fileBytes what the file had besides
 */
record SizeClassSample(SizeClass sizeClass, int blocks, long rows, long storedBytes, long textBytes, long otherBytes,
        long fileBytes,
        RepetitionStats repetition) {
}
