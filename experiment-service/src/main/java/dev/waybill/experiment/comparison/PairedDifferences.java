package dev.waybill.experiment.comparison;

import java.util.Arrays;

import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.inference.BinomialTest;
import org.apache.commons.statistics.inference.WilcoxonSignedRankTest;
import org.jspecify.annotations.Nullable;

/**
 * How an experiment differs from the baseline in one feedback key, example by example. Up to {@link #MOST_VALUES} pairs the
 * differences themselves are there; of more, only their moments, which are then all that matters.
 *
 * @param n pairs
 * @param stdev of the sample; null below two pairs
 * @param values in any order
 */
public record PairedDifferences(long n, double mean, @Nullable Double stdev, double @Nullable [] values) {

    /** Beyond so many, an average is normally distributed as nearly as anybody can tell. */
    static final int MOST_VALUES = 2_000;

    public PairedDifferences {
        // Whatever order they came in, the same differences give the same interval.
        if (values != null) {
            values = values.clone();
            Arrays.sort(values);
        }
    }

    /** Where the average difference lies; null where fewer than two pairs say nothing of it. */
    public @Nullable ConfidenceInterval interval(double confidence, BootstrapSampler bootstrap) {
        if (n < 2 || stdev == null) {
            return null;
        }
        if (values != null && bootstrap.canResample(values.length)) {
            return bootstrap.mean(values, confidence);
        }
        double half = TDistribution.of(n - 1.0).inverseSurvivalProbability((1 - confidence) / 2) * stdev / Math.sqrt(n);
        return new ConfidenceInterval(mean - half, mean + half);
    }

    /**
     * How likely differences like these are where there is none, two-sided: of few pairs by the signs, when all differences are
     * of one size (McNemar's exact test), else by Wilcoxon's signed ranks; of many by Student's t.
     */
    double pValue() {
        if (values == null) {
            return ofMoments();
        }
        double[] changes = Arrays.stream(values).filter(value -> value != 0).toArray();
        if (changes.length == 0) {
            return 1;
        }
        // Nothing that looks at signs can say more than that all of them agree; approximations would, of a handful.
        return Math.max(ofChanges(changes), Math.scalb(1.0, 1 - changes.length));
    }

    /** The same counted so that more is better, and each raised by {@code shift}. */
    public PairedDifferences oriented(boolean higherIsBetter, double shift) {
        int sign = higherIsBetter ? 1 : -1;
        double[] moved = values == null ? null : Arrays.stream(values).map(value -> sign * value + shift).toArray();
        return new PairedDifferences(n, sign * mean + shift, stdev, moved);
    }

    /** Whether the interval and the test agree that the average is below zero. */
    public boolean isSurelyNegative(double confidence, BootstrapSampler bootstrap) {
        ConfidenceInterval interval = interval(confidence, bootstrap);
        return interval != null && interval.high() < 0 && pValue() < 1 - confidence;
    }

    private static double ofChanges(double[] changes) {
        double size = Math.abs(changes[0]);
        if (Arrays.stream(changes).allMatch(change -> Math.abs(change) == size)) {
            int up = (int) Arrays.stream(changes).filter(change -> change > 0).count();
            return BinomialTest.withDefaults().test(changes.length, up, 0.5).getPValue();
        }
        return WilcoxonSignedRankTest.withDefaults().test(changes).getPValue();
    }

    private double ofMoments() {
        if (n < 2 || stdev == null) {
            return 1;
        }
        if (stdev == 0) {
            return mean == 0 ? 1 : 0;
        }
        return 2 * TDistribution.of(n - 1.0).survivalProbability(Math.abs(mean) / stdev * Math.sqrt(n));
    }
}
