package dev.waybill.experiment.comparison;

import java.util.LinkedHashMap;
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
        return new ComparedExperiment(id, name, runCount, latencyP50, errorRate, feedback);
    }
}
