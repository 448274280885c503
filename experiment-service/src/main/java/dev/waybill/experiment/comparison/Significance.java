package dev.waybill.experiment.comparison;

import org.jspecify.annotations.Nullable;

/**
 * Decides whether a difference is significant: its confidence interval must exclude zero, and the p-value of a paired
 * test must be below 5 %.
 */
final class Significance {

    static final double CONFIDENCE = 0.95;

    private Significance() {
    }

    static String verdict(PairedDifferences differences, @Nullable ConfidenceInterval interval, double pValue,
            boolean higherIsBetter) {
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
