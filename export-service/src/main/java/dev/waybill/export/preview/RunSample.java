package dev.waybill.export.preview;

import java.util.List;
import java.util.Optional;

import dev.waybill.export.parquet.FieldText;

/**
 * The first runs of an export, of which some are shown and all were written to see how large they become.
 *
 * @param shown the first runs' fields
 * @param rows how many runs were written
 * @param firstBytes the size of a file with the first of them
 * @param bytes the size of a file with all of them
 * @param isTimeUp whether looking for more was ended by its time
 */
record RunSample(List<List<FieldText>> shown, long rows, long firstBytes, long bytes, boolean isTimeUp) {

    /**
     * About the size of all files of an export: what every file has at its end, and what its rows take in the sample. Where
     * the sample is all there is, and of one day, it is the size of the file.
     */
    Optional<Long> bytesOf(RowCount count, long days) {
        if (count.rows() == 0) {
            return Optional.of(0L);
        }
        if (rows == 0) {
            return Optional.empty();
        }
        if (rows == 1) {
            return Optional.of(bytes * count.rows());
        }
        double row = (double) (bytes - firstBytes) / (rows - 1);
        double file = Math.max(0, firstBytes - row);
        return Optional.of(Math.round(file * Math.min(days, count.rows()) + row * count.rows()));
    }
}
