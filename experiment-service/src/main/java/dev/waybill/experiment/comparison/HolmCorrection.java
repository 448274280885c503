package dev.waybill.experiment.comparison;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.waybill.common.api.experiment.KeyComparison;

/** Corrects p-values for the number of tests by Holm's step-down method, which holds for dependent tests as well. */
public final class HolmCorrection {

    private HolmCorrection() {
    }

    /** Returns the keys of one experiment with their adjusted p-values; keys without a p-value do not count as tests. */
    public static Map<String, KeyComparison> adjust(Map<String, KeyComparison> keys) {
        List<Map.Entry<String, Double>> ascending = keys.entrySet().stream()
                .filter(key -> key.getValue().pValue() != null)
                .map(key -> Map.entry(key.getKey(), Objects.requireNonNull(key.getValue().pValue())))
                .sorted(Map.Entry.comparingByValue())
                .toList();
        Map<String, KeyComparison> adjusted = new LinkedHashMap<>(keys);
        double lowest = 0;
        for (int i = 0; i < ascending.size(); i++) {
            lowest = Math.max(lowest, Math.min(1, (ascending.size() - i) * ascending.get(i).getValue()));
            double pAdjusted = lowest;
            adjusted.computeIfPresent(ascending.get(i).getKey(), (name, key) -> key.withPAdjusted(pAdjusted));
        }
        return adjusted;
    }
}
