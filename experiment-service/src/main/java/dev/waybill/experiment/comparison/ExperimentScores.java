package dev.waybill.experiment.comparison;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.ComparedExperiment;
import dev.waybill.common.api.experiment.KeyComparison;

/**
 * Aggregated results of one experiment.
 *
 * @param keys score statistics by feedback key
 */
public record ExperimentScores(UUID id, String name, long runCount, @Nullable Double latencyP50, @Nullable Double errorRate,
        Map<String, FeedbackKeyScores> keys) {

    public FeedbackKeyScores of(String key) {
        return keys.getOrDefault(key, FeedbackKeyScores.none(key));
    }

    /** Returns the API representation, which includes the keys that only the baseline has. */
    ComparedExperiment comparedWith(@Nullable ExperimentScores baseline, ScoreDirections directions,
            BootstrapSampler bootstrap) {
        Set<String> all = new TreeSet<>(keys.keySet());
        if (baseline != null) {
            all.addAll(baseline.keys.keySet());
        }
        Map<String, KeyComparison> feedback = new LinkedHashMap<>();
        for (String key : all) {
            boolean higherIsBetter = directions.isHigherBetter(key);
            feedback.put(key, baseline == null || baseline.id.equals(id)
                    ? of(key).withoutBaseline(higherIsBetter)
                    : of(key).againstBaseline(baseline.of(key).n(), higherIsBetter, bootstrap));
        }
        return new ComparedExperiment(id, name, runCount, latencyP50, errorRate, HolmCorrection.adjust(feedback));
    }

    /**
     * Score statistics of one feedback key in one experiment; each example counts once.
     *
     * @param n number of examples with a score
     * @param differences to the baseline, over the examples that have a score in both experiments
     * @param higher number of those examples whose score is higher than the baseline's
     * @param lower number of those examples whose score is lower than the baseline's
     */
    public record FeedbackKeyScores(String key, long n, @Nullable Double avg, @Nullable Double stdev,
            PairedDifferences differences,
            long higher, long lower) {

        static FeedbackKeyScores none(String key) {
            return new FeedbackKeyScores(key, 0, null, null, new PairedDifferences(0, 0, null, new double[0]), 0, 0);
        }

        /** Returns the API representation without a comparison: of the baseline itself, or without a baseline. */
        public KeyComparison withoutBaseline(boolean higherIsBetter) {
            return new KeyComparison(n, avg, stdev, null, 0, 0, 0, 0, null, null, null, null, null, higherIsBetter);
        }

        /**
         * Returns the API representation of the comparison with a baseline that has {@code baselineN} scores, without the
         * adjusted p-value.
         */
        public KeyComparison againstBaseline(long baselineN, boolean higherIsBetter, BootstrapSampler bootstrap) {
            long pairs = differences.n();
            long missing = n - pairs + baselineN - pairs;
            if (pairs == 0) {
                return new KeyComparison(n, avg, stdev, null, 0, 0, 0, missing, null, null, null,
                        PairedDifferences.Significance.verdict(differences, null, 1, higherIsBetter), null, higherIsBetter);
            }
            PairedDifferences.ConfidenceInterval interval = differences.interval(PairedDifferences.Significance.CONFIDENCE,
                    bootstrap);
            double pValue = differences.pValue();
            boolean isSignificant = PairedDifferences.Significance.isSignificant(interval, pValue);
            return new KeyComparison(n, avg, stdev, differences.mean(), higherIsBetter ? higher : lower,
                    higherIsBetter ? lower : higher, pairs - higher - lower, missing,
                    interval == null ? null : List.of(interval.low(), interval.high()), pValue, null,
                    PairedDifferences.Significance.verdict(differences, interval, pValue, higherIsBetter),
                    isSignificant ? null : SampleSize.of(differences, higher + lower), higherIsBetter);
        }
    }
}
