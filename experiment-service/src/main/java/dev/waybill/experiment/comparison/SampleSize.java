package dev.waybill.experiment.comparison;

import org.jspecify.annotations.Nullable;

/** Estimates how many pairs a significant result needs. */
final class SampleSize {

    /** Quantiles of the normal distribution: 97.5 % for a two-sided test at 5 %, 80 % for its power. */
    private static final double Z_CONFIDENCE = 1.959964;
    private static final double Z_POWER = 0.841621;
    /** Fewer differences than this, even with the same sign, have a p-value of 0.0625 or more. */
    private static final int MIN_CHANGES = 6;
    private static final double MAX = 1e12;

    private SampleSize() {
    }

    /**
     * Returns the number of pairs with which an average of the observed size and spread is significant with a probability of
     * 80 %; null with fewer than two pairs, without a difference, and above 10^12. It is greater than the number of observed
     * pairs.
     *
     * @param changes number of pairs whose difference is not zero
     */
    static @Nullable Long of(PairedDifferences differences, long changes) {
        Double stdev = differences.stdev();
        if (differences.n() < 2 || stdev == null || changes == 0 || differences.mean() == 0) {
            return null;
        }
        double ratio = (Z_CONFIDENCE + Z_POWER) * stdev / differences.mean();
        double perChange = (double) differences.n() / changes;
        double needed = Math.max(Math.ceil(ratio * ratio), Math.max(Math.ceil(MIN_CHANGES * perChange), differences.n() + 1.0));
        return needed > MAX ? null : (long) needed;
    }
}
