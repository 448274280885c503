package dev.waybill.experiment.comparison;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** By feedback key, whether a higher score is the better one; it is for keys that are not named. */
public record ScoreDirections(Map<String, Boolean> named) {

    /** What the request says goes before what the dataset says. */
    static ScoreDirections of(@Nullable Map<String, Boolean> request, Map<String, Boolean> dataset) {
        Map<String, Boolean> named = new HashMap<>(dataset);
        if (request != null) {
            named.putAll(request);
        }
        return new ScoreDirections(Map.copyOf(named));
    }

    public boolean isHigherBetter(String key) {
        return named.getOrDefault(key, true);
    }

    String[] lowerIsBetter() {
        return named.keySet().stream()
                .filter(key -> !isHigherBetter(key))
                // PostgreSQL's text has no such character, so no key has it.
                .filter(key -> key.indexOf(0) < 0)
                .toArray(String[]::new);
    }
}
