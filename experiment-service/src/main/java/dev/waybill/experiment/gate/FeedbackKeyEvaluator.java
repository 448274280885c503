package dev.waybill.experiment.gate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.comparison.BootstrapSampler;
import dev.waybill.experiment.comparison.FeedbackKeyScores;
import dev.waybill.experiment.comparison.PairedDifferences;

/** Holds one feedback key of an experiment against its limits. */
final class FeedbackKeyEvaluator {

    // Averages are inexact; what is as much as the limit is not beyond it.
    private static final double INEXACT = 1e-9;

    private final FeedbackKeyScores figures;
    private final @Nullable FeedbackKeyScores baseline;
    private final boolean higherIsBetter;
    private final String who;
    private final List<String> reasons = new ArrayList<>();

    /** @param baseline null where there is none */
    FeedbackKeyEvaluator(String experiment, FeedbackKeyScores figures, @Nullable FeedbackKeyScores baseline, boolean higherIsBetter) {
        this.figures = figures;
        this.baseline = baseline;
        this.higherIsBetter = higherIsBetter;
        this.who = "\"" + figures.key() + "\" of \"" + experiment + "\"";
    }

    /** Why it does not pass; empty when it does. */
    List<String> reasons() {
        return reasons;
    }

    void requireScore(double limit) {
        Double avg = figures.avg();
        if (avg == null) {
            reasons.add(who + " has no score.");
        } else if (higherIsBetter && avg < limit - inexact(limit)) {
            reasons.add(who + " is " + shown(avg) + " on average, less than " + shown(limit) + ".");
        } else if (!higherIsBetter && avg > limit + inexact(limit)) {
            reasons.add(who + " is " + shown(avg) + " on average, more than " + shown(limit) + ", and lower is better.");
        }
    }

    /** @param named whether somebody named the key; else it need not be in the baseline */
    void requireNoDrop(double limit, @Nullable Double confidence, boolean named, BootstrapSampler bootstrap) {
        if (baseline == null || baseline.n() == 0) {
            if (named) {
                reasons.add(who + " has no score in the baseline to be compared with.");
            }
            return;
        }
        PairedDifferences differences = figures.differences();
        if (differences.n() == 0) {
            reasons.add(figures.n() == 0 ? who + " has no score, and the baseline has."
                    : who + " has no score on any example that the baseline has one on.");
            return;
        }
        double drop = higherIsBetter ? -differences.mean() : differences.mean();
        boolean isTooMuch = drop > limit + inexact(limit);
        boolean isSure = confidence == null
                || differences.oriented(higherIsBetter, limit).isSurelyNegative(confidence, bootstrap);
        if (isTooMuch && isSure) {
            reasons.add(who + " dropped by " + shown(drop) + ", more than " + shown(limit)
                    + (confidence == null ? "" : " with a confidence of " + shown(confidence)) + " (n = " + differences.n()
                    + ").");
        }
    }

    private static double inexact(double limit) {
        return INEXACT * Math.max(1, Math.abs(limit));
    }

    static String shown(double value) {
        String text = String.format(Locale.ROOT, "%.4g", value);
        return Math.abs(value) < 1e-4 || Math.abs(value) >= 1e6 ? plain(value)
                : text.contains("e") ? text : plain(Double.parseDouble(text));
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value) : Double.toString(value);
    }
}
