package dev.waybill.export.preview;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;

import dev.waybill.export.preview.RunCounter.SliceCount;

/**
 * Statistics of the runs in a range.
 *
 * @param slices the slices in which runs were counted; empty if there are no runs
 * @param limit the maximum number of runs counted per slice
 * @param filterLimit the maximum number of runs per slice on which the filter was evaluated; 0 without a filter
 * @param groups the sizes of some runs; empty if the time was too short to measure them
 */
record RangeStatistics(RowCount rows, List<SliceCount> slices, long limit, int filterLimit, List<MeasuredGroup> groups) {

    static final RangeStatistics EMPTY = new RangeStatistics(RowCount.NONE, List.of(), 0, 0);

    RangeStatistics(RowCount rows, List<SliceCount> slices, long limit, int filterLimit) {
        this(rows, slices, limit, filterLimit, List.of());
    }

    /**
     * Returns the statistics with sizes. The weight of a measured group is the number of its slice, starting with 1; the result
     * replaces it with the number of runs that each measured run represents.
     */
    RangeStatistics withMeasurements(List<MeasuredGroup> measured) {
        double[] weights = new double[slices.size()];
        for (int slice = 0; slice < weights.length; slice++) {
            int number = slice + 1;
            long found = measured.stream().filter(group -> group.weight() == number).mapToLong(MeasuredGroup::rows).sum();
            double all = filterLimit == 0 ? slices.get(slice).allRows(limit) : slices.get(slice).matchingRows(limit);
            weights[slice] = found == 0 ? 0 : Math.max(1, all / found);
        }
        return new RangeStatistics(rows, slices, limit, filterLimit, measured.stream()
                .map(group -> group.withWeight(weights[(int) group.weight() - 1]))
                .toList());
    }

    /** Returns the estimated number of runs that exceed the maximum row size of an export. */
    long truncatedRows() {
        return Math.round(groups.stream().mapToDouble(group -> group.weight() * group.truncatedRows()).sum());
    }

    /** Returns the estimated number of days with runs: the days of non-empty slices, but at most the number of runs. */
    double days() {
        long days = slices.stream()
                .filter(slice -> slice.rows() > 0)
                .flatMapToLong(slice -> IntStream.rangeClosed(0, (int) (day(slice.slice().endTime().minusNanos(1000))
                        - day(slice.slice().startTime()))).mapToLong(day -> day(slice.slice().startTime()) + day))
                .distinct()
                .count();
        return Math.max(1, Math.min(days, rows.rows()));
    }

    private static long day(Instant time) {
        return Math.floorDiv(time.atOffset(ZoneOffset.UTC).toEpochSecond(), Duration.ofDays(1).toSeconds());
    }

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
}
