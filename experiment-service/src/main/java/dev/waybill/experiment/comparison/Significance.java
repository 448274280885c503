package dev.waybill.experiment.comparison;

import org.jspecify.annotations.Nullable;

/**
 * What can be told of a difference, in plain words. It takes both: an interval without zero, and a paired test below 5 %.
 */
final class Significance {

    static final double CONFIDENCE = 0.95;

    private Significance() {
    }

    static String of(PairedDifferences differences, @Nullable ConfidenceInterval interval, double pValue, boolean higherIsBetter) {
        if (interval != null && pValue < 1 - CONFIDENCE) {
            if (interval.low() > 0) {
                return higherIsBetter ? "better" : "worse";
            }
            if (interval.high() < 0) {
                return higherIsBetter ? "worse" : "better";
            }
        }
        return "cannot tell at n = " + differences.n();
    }
}
