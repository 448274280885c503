package dev.waybill.experiment.comparison;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * States for each feedback key whether a higher score is better, which is the default.
 *
 * @param higherIsBetter by feedback key
 */
public record ScoreDirections(Map<String, Boolean> higherIsBetter) {

    /** Merges the settings of the request and of the dataset; the request takes precedence. */
    static ScoreDirections of(@Nullable Map<String, Boolean> request, Map<String, Boolean> dataset) {
        Map<String, Boolean> merged = new HashMap<>(dataset);
        if (request != null) {
            merged.putAll(request);
        }
        return new ScoreDirections(Map.copyOf(merged));
    }

    public boolean isHigherBetter(String key) {
        return higherIsBetter.getOrDefault(key, true);
    }

    String[] lowerIsBetter() {
        return higherIsBetter.keySet().stream()
                .filter(key -> !isHigherBetter(key))
                // PostgreSQL's text type cannot store U+0000, so no stored key contains it.
                .filter(key -> key.indexOf(0) < 0)
                .toArray(String[]::new);
    }
}
