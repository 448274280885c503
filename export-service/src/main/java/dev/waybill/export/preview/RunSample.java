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
 * @param found how many runs were found, the last of them perhaps neither shown nor written
 * @param end why no more were looked for
 */
record RunSample(List<List<FieldText>> shown, long rows, long firstBytes, long bytes, long found, End end) {

    /** Why looking for runs ended. */
    enum End {
        ALL_FOUND,
        ENOUGH,
        TIME_UP
    }

    /** The number of runs, when all were found or more than were thought to be there; else as it was counted. */
    Optional<RowCount> rowsOf(Optional<RowCount> counted) {
        return end == End.ALL_FOUND ? Optional.of(new RowCount(found, true))
                : counted.map(count -> count.rows() >= found ? count : new RowCount(found, false));
    }

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
