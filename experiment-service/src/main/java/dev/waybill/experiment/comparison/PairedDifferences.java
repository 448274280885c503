package dev.waybill.experiment.comparison;

import java.util.Arrays;

import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.inference.BinomialTest;
import org.apache.commons.statistics.inference.WilcoxonSignedRankTest;
import org.jspecify.annotations.Nullable;

/**
 * Differences between an experiment and the baseline in one feedback key, paired by example. Above {@link #MAX_VALUES}
 * pairs only mean and standard deviation are given: the mean is then practically normally distributed.
 *
 * @param n number of pairs
 * @param stdev sample standard deviation; null with fewer than two pairs
 * @param values the differences in any order; null above {@link #MAX_VALUES} pairs
 */
public record PairedDifferences(long n, double mean, @Nullable Double stdev, double @Nullable [] values) {

    /** Maximum number of pairs for which the differences themselves are read. */
    static final int MAX_VALUES = 2_000;

    public PairedDifferences {
        // Sorted, so that the same differences give the same interval in any order.
        if (values != null) {
            values = values.clone();
            Arrays.sort(values);
        }
    }

    /** Returns the confidence interval of the mean difference; null with fewer than two pairs. */
    public @Nullable ConfidenceInterval interval(double confidence, BootstrapSampler bootstrap) {
        if (n < 2 || stdev == null) {
            return null;
        }
        if (values != null && bootstrap.canResample(values.length)) {
            return bootstrap.meanInterval(values, confidence);
        }
        double half = TDistribution.of(n - 1.0).inverseSurvivalProbability((1 - confidence) / 2) * stdev / Math.sqrt(n);
        return new ConfidenceInterval(mean - half, mean + half);
    }

    /**
     * Returns the two-sided p-value. With {@code values}: McNemar's exact test if all differences have the same size,
     * otherwise Wilcoxon's signed-rank test. Without: Student's t-test.
     */
    double pValue() {
        if (values == null) {
            return tTestPValue();
        }
        double[] changes = Arrays.stream(values).filter(value -> value != 0).toArray();
        if (changes.length == 0) {
            return 1;
        }
        // No test on signs can give a lower p-value than if all signs agree; approximations do for small samples.
        return Math.max(nonparametricPValue(changes), Math.scalb(1.0, 1 - changes.length));
    }

    /** Returns the differences with a sign such that higher is better, each increased by {@code shift}. */
    public PairedDifferences oriented(boolean higherIsBetter, double shift) {
        int sign = higherIsBetter ? 1 : -1;
        double[] shifted = values == null ? null : Arrays.stream(values).map(value -> sign * value + shift).toArray();
        return new PairedDifferences(n, sign * mean + shift, stdev, shifted);
    }

    /** Returns whether both the interval and the test show a mean below zero. */
    public boolean isSignificantlyNegative(double confidence, BootstrapSampler bootstrap) {
        ConfidenceInterval interval = interval(confidence, bootstrap);
        return interval != null && interval.high() < 0 && pValue() < 1 - confidence;
    }

    private static double nonparametricPValue(double[] changes) {
        double size = Math.abs(changes[0]);
        if (Arrays.stream(changes).allMatch(change -> Math.abs(change) == size)) {
            int up = (int) Arrays.stream(changes).filter(change -> change > 0).count();
            return BinomialTest.withDefaults().test(changes.length, up, 0.5).getPValue();
        }
        return WilcoxonSignedRankTest.withDefaults().test(changes).getPValue();
    }

    private double tTestPValue() {
        if (n < 2 || stdev == null) {
            return 1;
        }
        if (stdev == 0) {
            return mean == 0 ? 1 : 0;
        }
        return 2 * TDistribution.of(n - 1.0).survivalProbability(Math.abs(mean) / stdev * Math.sqrt(n));
    }

    /**
     * Decides whether a difference is significant: its confidence interval must exclude zero, and the p-value of a paired
     * test must be below 5 %.
     */
    static final class Significance {

        static final double CONFIDENCE = 0.95;

        private Significance() {
        }

        static boolean isSignificant(@Nullable ConfidenceInterval interval, double pValue) {
            return interval != null && pValue < 1 - CONFIDENCE && (interval.low() > 0 || interval.high() < 0);
        }

        static String verdict(PairedDifferences differences, @Nullable ConfidenceInterval interval, double pValue,
                boolean higherIsBetter) {
            if (interval != null && isSignificant(interval, pValue)) {
                return (interval.low() > 0) == higherIsBetter ? "better" : "worse";
            }
            return "cannot tell at n = " + differences.n();
        }
    }

    /** Confidence interval; the caller knows the confidence level. */
    public record ConfidenceInterval(double low, double high) {
    }
}
