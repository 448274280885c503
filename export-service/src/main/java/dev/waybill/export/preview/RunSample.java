package dev.waybill.export.preview;

import java.util.List;
import java.util.Optional;

import dev.waybill.export.parquet.FormattedField;

/**
 * The first runs of an export, of which some are shown and all were written to see how large they become.
 *
 * @param shown the first runs' fields
 * @param rows how many runs were written
 * @param firstBytes the size of a file with the first of them
 * @param bytes the size of a file with all of them
 * @param found how many runs were found, the last of them perhaps neither shown nor written
 * @param days on how many UTC days they started
 * @param stopReason why no more were looked for
 */
record RunSample(List<List<FormattedField>> shown, long rows, long firstBytes, long bytes, long found, long days, StopReason stopReason) {

    /** How many times larger or smaller than estimated files may be of which only the first runs are known. */
    private static final int UNCERTAINTY_FACTOR = 20;

    /** Why looking for runs ended. */
    enum StopReason {
        EXHAUSTED,
        LIMIT_REACHED,
        TIMED_OUT
    }

    /** Whether all runs were found and written. */
    boolean isComplete() {
        return stopReason == StopReason.EXHAUSTED && rows == found;
    }

    /** The number of runs, when all were found or more than were thought to be there; else as it was counted. */
    Optional<RowCount> estimateRows(Optional<RangeStatistics> range) {
        Optional<RowCount> counted = range.map(RangeStatistics::rows);
        return stopReason == StopReason.EXHAUSTED ? Optional.of(new RowCount(found, true))
                : counted.map(count -> count.rows() >= found ? count : new RowCount(found, false));
    }

    /**
     * About the size of all files of an export: what every file has at its end, and what its rows take in the sample. Where
     * the sample is all there is, and of one day, it is the size of the file.
     */
    Optional<ByteEstimate> estimateBytes(RowCount count, long rangeDays) {
        if (count.rows() == 0) {
            return Optional.of(ByteEstimate.exactly(0));
        }
        if (rows == 0) {
            return Optional.empty();
        }
        if (rows == 1) {
            return Optional.of(estimate(bytes * count.rows(), count));
        }
        double row = (double) (bytes - firstBytes) / (rows - 1);
        double file = Math.max(0, firstBytes - row);
        return Optional.of(estimate(Math.round(file * files(count, rangeDays) + row * count.rows()), count));
    }

    // Days without runs have no file.
    private long files(RowCount count, long most) {
        return stopReason == StopReason.EXHAUSTED ? days : Math.min(most, count.rows());
    }

    // Of one file everything is known when all runs are in it. What is like the first runs is not known.
    private ByteEstimate estimate(long estimated, RowCount count) {
        return isComplete() && days == 1 ? ByteEstimate.exactly(estimated)
                : new ByteEstimate(estimated, estimated / (rows == count.rows() ? 2 : UNCERTAINTY_FACTOR),
                        estimated * (rows == count.rows() ? 2 : UNCERTAINTY_FACTOR));
    }
}
