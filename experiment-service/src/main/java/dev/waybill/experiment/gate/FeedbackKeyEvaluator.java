package dev.waybill.experiment.gate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.comparison.BootstrapSampler;
import dev.waybill.experiment.comparison.ExperimentScores.FeedbackKeyScores;
import dev.waybill.experiment.comparison.PairedDifferences;

/** Checks the scores of one feedback key of an experiment against its thresholds. */
final class FeedbackKeyEvaluator {

    // Tolerance for rounding errors of averages: an average equal to the threshold passes.
    private static final double TOLERANCE = 1e-9;

    private final FeedbackKeyScores scores;
    private final @Nullable FeedbackKeyScores baseline;
    private final boolean higherIsBetter;
    private final String label;
    private final List<String> reasons = new ArrayList<>();

    /** @param baseline null without a baseline */
    FeedbackKeyEvaluator(String experiment, FeedbackKeyScores scores, @Nullable FeedbackKeyScores baseline,
            boolean higherIsBetter) {
        this.scores = scores;
        this.baseline = baseline;
        this.higherIsBetter = higherIsBetter;
        this.label = "\"" + scores.key() + "\" of \"" + experiment + "\"";
    }

    /** Returns the reasons for failing; empty if the key passes. */
    List<String> reasons() {
        return reasons;
    }

    void checkMinScore(double threshold) {
        Double avg = scores.avg();
        if (avg == null) {
            reasons.add(label + " has no score.");
        } else if (higherIsBetter && avg < threshold - tolerance(threshold)) {
            reasons.add(label + " is " + format(avg) + " on average, less than " + format(threshold) + ".");
        } else if (!higherIsBetter && avg > threshold + tolerance(threshold)) {
            reasons.add(
                    label + " is " + format(avg) + " on average, more than " + format(threshold) + ", and lower is better.");
        }
    }

    /** @param named whether the request names the key; otherwise the baseline need not have scores for it */
    void checkMaxDrop(double threshold, @Nullable Double confidence, boolean named, BootstrapSampler bootstrap) {
        if (baseline == null || baseline.n() == 0) {
            if (named) {
                reasons.add(label + " has no score in the baseline.");
            }
            return;
        }
        PairedDifferences differences = scores.differences();
        if (differences.n() == 0) {
            reasons.add(scores.n() == 0 ? label + " has no score, but the baseline does."
                    : label + " has no score on any example on which the baseline has one.");
            return;
        }
        double drop = higherIsBetter ? -differences.mean() : differences.mean();
        boolean exceedsThreshold = drop > threshold + tolerance(threshold);
        boolean isSignificant = confidence == null
                || differences.oriented(higherIsBetter, threshold).isSignificantlyNegative(confidence, bootstrap);
        if (exceedsThreshold && isSignificant) {
            reasons.add(label + " dropped by " + format(drop) + ", more than " + format(threshold)
                    + (confidence == null ? "" : " with a confidence of " + format(confidence)) + " (n = " + differences.n()
                    + ").");
        }
    }

    private static double tolerance(double threshold) {
        return TOLERANCE * Math.max(1, Math.abs(threshold));
    }

    static String format(double value) {
        String text = String.format(Locale.ROOT, "%.4g", value);
        return Math.abs(value) < 1e-4 || Math.abs(value) >= 1e6 ? plain(value)
                : text.contains("e") ? text : plain(Double.parseDouble(text));
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value) : Double.toString(value);
    }
}
