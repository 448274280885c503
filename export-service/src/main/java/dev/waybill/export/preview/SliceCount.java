package dev.waybill.export.preview;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * The result of counting one slice.
 *
 * @param rows the number of runs, up to a limit
 * @param lastCounted the start time of the last counted run; null without runs
 * @param filtered the number of runs on which the filter was evaluated
 * @param matching the number of those that match
 */
record SliceCount(TimeSlice slice, long rows, @Nullable Instant lastCounted, long filtered, long matching) {

    /** Maximum ratio of estimated to counted runs. Runs with equal start times provide no density to extrapolate from. */
    private static final double MAX_EXTRAPOLATION = 1_000;

    /** Estimates the number of runs of the slice, with the density of the counted ones. */
    double allRows(long limit) {
        if (rows < limit || lastCounted == null) {
            return rows;
        }
        double counted = Math.max(1, ChronoUnit.MICROS.between(slice.startTime(), lastCounted));
        return rows * Math.clamp(slice.micros() / counted, 1, MAX_EXTRAPOLATION);
    }

    /** Estimates the number of matching runs of the slice, with the ratio of matches so far. */
    double matchingRows(long limit) {
        return filtered == 0 ? 0 : allRows(limit) * matching / filtered;
    }
}
