package dev.waybill.experiment.comparison;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.KeyComparison;

/**
 * What the database calculates of one feedback key of one experiment; an example counts once.
 *
 * @param n examples with a score
 * @param differences to the baseline, over the examples that have a score in both
 * @param higher in how many of those the score is higher than the baseline's
 */
public record FeedbackKeyScores(String key, long n, @Nullable Double avg, @Nullable Double stdev, PairedDifferences differences,
        long higher, long lower) {

    static FeedbackKeyScores none(String key) {
        return new FeedbackKeyScores(key, 0, null, null, new PairedDifferences(0, 0, null, new double[0]), 0, 0);
    }

    /** As the wire tells the baseline itself, and everything where there is no baseline. */
    public KeyComparison alone(boolean higherIsBetter) {
        return new KeyComparison(n, avg, stdev, null, 0, 0, 0, 0, null, null, null, higherIsBetter);
    }

    /** As the wire tells it against the baseline, which has {@code baselineN} scores. */
    public KeyComparison against(long baselineN, boolean higherIsBetter, BootstrapSampler bootstrap) {
        long pairs = differences.n();
        long missing = n - pairs + baselineN - pairs;
        if (pairs == 0) {
            return new KeyComparison(n, avg, stdev, null, 0, 0, 0, missing, null, null,
                    Significance.of(differences, null, 1, higherIsBetter), higherIsBetter);
        }
        ConfidenceInterval interval = differences.interval(Significance.CONFIDENCE, bootstrap);
        double pValue = differences.pValue();
        return new KeyComparison(n, avg, stdev, differences.mean(), higherIsBetter ? higher : lower,
                higherIsBetter ? lower : higher, pairs - higher - lower, missing,
                interval == null ? null : List.of(interval.low(), interval.high()), pValue,
                Significance.of(differences, interval, pValue, higherIsBetter), higherIsBetter);
    }
}
