package dev.waybill.export.preview;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * What was counted in one slice.
 *
 * @param rows how many runs, up to a limit
 * @param lastCounted when the last of them started; null when there are none
 * @param filtered how many of the first runs the filter was asked of
 * @param matching of how many of those it holds
 */
record SliceCount(TimeSlice slice, long rows, @Nullable Instant lastCounted, long filtered, long matching) {

    /**
     * Runs that start at the same moment tell nothing of how many follow: a slice has at most this many times what was counted.
     */
    private static final double MAX_EXTRAPOLATION = 1_000;

    /** All runs of the slice, on the assumption that they go on as dense as they were where the counting stopped. */
    double allRows(long limit) {
        if (rows < limit || lastCounted == null) {
            return rows;
        }
        double counted = Math.max(1, ChronoUnit.MICROS.between(slice.startTime(), lastCounted));
        return rows * Math.clamp(slice.micros() / counted, 1, MAX_EXTRAPOLATION);
    }

    /** Those of all runs that the filter holds of, in the share in which it holds of the first. */
    double matchingRows(long limit) {
        return filtered == 0 ? 0 : allRows(limit) * matching / filtered;
    }
}
