package dev.waybill.experiment.gate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.problem.Violation;

/**
 * Threshold of a gate: one number for all feedback keys, or numbers by key.
 *
 * @param forAll applies to keys without a number of their own
 */
record Threshold(@Nullable Double forAll, Map<String, Double> byKey) {

    static final Threshold NONE = new Threshold(null, Map.of());

    /** Parses the request's member {@code name}; adds its errors to {@code violations}. */
    static Threshold parse(@Nullable JsonNode json, String name, double min, double max, List<Violation> violations) {
        if (json == null || json.isNull()) {
            return NONE;
        }
        if (!json.isObject()) {
            return new Threshold(number(json, List.of(name), min, max, violations), Map.of());
        }
        Map<String, Double> byKey = new HashMap<>();
        json.properties().forEach(member -> {
            Double number = number(member.getValue(), List.of(name, member.getKey()), min, max, violations);
            if (number != null) {
                byKey.put(member.getKey(), number);
            }
        });
        return new Threshold(null, Map.copyOf(byKey));
    }

    private static @Nullable Double number(JsonNode json, List<Object> location, double min, double max,
            List<Violation> violations) {
        if (json.isNumber() && json.doubleValue() >= min && json.doubleValue() <= max) {
            return json.doubleValue();
        }
        String range = max == Double.MAX_VALUE ? min == 0 ? " of 0 or more" : "" : " from " + min + " to " + max;
        violations.add(new Violation(location, location.size() > 1 ? "must be a number" + range
                : "must be a number" + range + ", or an object of them by feedback key", "invalid"));
        return null;
    }

    boolean isGiven() {
        return forAll != null || !byKey.isEmpty();
    }

    /**
     * Returns the number for a key, or null.
     *
     * @param useDefault whether {@code forAll} applies to the key
     */
    @Nullable
    Double of(String key, boolean useDefault) {
        Double own = byKey.get(key);
        return own != null || !useDefault ? own : forAll;
    }
}
