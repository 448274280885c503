package dev.waybill.export.preview;

import java.util.List;
import java.util.Optional;

import dev.waybill.export.parquet.RunFormatter.FormattedField;

/**
 * The first runs of an export: some are shown, and some are written to determine their size.
 *
 * @param shown the fields of the first runs
 * @param rows the number of runs written
 * @param firstBytes the size of a file with the first run
 * @param bytes the size of a file with all written runs
 * @param found the number of runs found, including runs neither shown nor written
 * @param days the number of UTC days on which they started
 * @param stopReason why reading stopped
 */
record RunSample(List<List<FormattedField>> shown, long rows, long firstBytes, long bytes, long found, long days,
        StopReason stopReason) {

    /** The factor by which the size may differ from an estimate that is based on the first runs only. */
    private static final int UNCERTAINTY_FACTOR = 20;

    /** Why reading stopped. */
    enum StopReason {
        EXHAUSTED,
        LIMIT_REACHED,
        TIMED_OUT
    }

    /** Returns whether all runs were found and written. */
    boolean isComplete() {
        return stopReason == StopReason.EXHAUSTED && rows == found;
    }

    /** Returns the number of runs: exact if all were found, otherwise the count, but at least the number found. */
    Optional<RowCount> estimateRows(Optional<RangeStatistics> range) {
        Optional<RowCount> counted = range.map(RangeStatistics::rows);
        return stopReason == StopReason.EXHAUSTED ? Optional.of(new RowCount(found, true))
                : counted.map(count -> count.rows() >= found ? count : new RowCount(found, false));
    }

    /**
     * Estimates the size of all files of an export from the size of the sample's rows and the overhead of each file. Exact if
     * the sample contains all runs and they started on one day.
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

    // The size of a single file with all runs is exact; an extrapolation from the first runs is uncertain.
    private ByteEstimate estimate(long estimated, RowCount count) {
        return isComplete() && days == 1 ? ByteEstimate.exactly(estimated)
                : new ByteEstimate(estimated, estimated / (rows == count.rows() ? 2 : UNCERTAINTY_FACTOR),
                        estimated * (rows == count.rows() ? 2 : UNCERTAINTY_FACTOR));
    }
}
