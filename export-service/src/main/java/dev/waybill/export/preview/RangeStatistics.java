package dev.waybill.export.preview;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What is known of the runs of a range.
 *
 * @param slices that the runs were counted in; empty when there are none
 * @param limit up to how many runs were counted in each
 * @param filterLimit of how many runs in each the filter was asked; 0 without a filter
 * @param groups the sizes of some of the runs; empty when there was no time to look at them
 */
record RangeStatistics(RowCount rows, List<SliceCount> slices, long limit, int filterLimit, List<MeasuredGroup> groups) {

    static final RangeStatistics EMPTY = new RangeStatistics(RowCount.NONE, List.of(), 0, 0);

    RangeStatistics(RowCount rows, List<SliceCount> slices, long limit, int filterLimit) {
        this(rows, slices, limit, filterLimit, List.of());
    }

    /** Returns the same with sizes, whose weights are the numbers of their slices, from 1. */
    RangeStatistics withMeasurements(List<MeasuredGroup> withMeasurements) {
        double[] weights = new double[slices.size()];
        for (int slice = 0; slice < weights.length; slice++) {
            int number = slice + 1;
            long found = withMeasurements.stream().filter(group -> group.weight() == number).mapToLong(MeasuredGroup::rows).sum();
            double all = filterLimit == 0 ? slices.get(slice).allRows(limit) : slices.get(slice).matchingRows(limit);
            weights[slice] = found == 0 ? 0 : Math.max(1, all / found);
        }
        return new RangeStatistics(rows, slices, limit, filterLimit, withMeasurements.stream()
                .map(group -> group.withWeight(weights[(int) group.weight() - 1]))
                .toList());
    }

    /** About how many runs are larger than a row of an export may be. */
    long truncatedRows() {
        return Math.round(groups.stream().mapToDouble(group -> group.weight() * group.truncatedRows()).sum());
    }

    /** On about how many days there are runs: those of the slices that have any, and not more than there are runs. */
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
}
