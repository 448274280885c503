package dev.waybill.experiment.gate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.api.experiment.GateRequest;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/**
 * Criteria of a gate.
 *
 * @param keys feedback keys that thresholds for all keys apply to; null for every key with scores
 */
record GateCriteria(List<UUID> experiments, @Nullable Set<String> keys, Threshold minScore, Threshold maxDrop,
        Threshold confidence) {

    private static final double DEFAULT_CONFIDENCE = 0.95;

    /** Reads the request; responds with 422 and all violations if it is invalid. */
    static GateCriteria of(GateRequest request) {
        List<Violation> violations = new ArrayList<>();
        List<UUID> experiments = new ArrayList<>();
        if (request.experimentId() != null) {
            experiments.add(request.experimentId());
        }
        if (request.experimentIds() != null) {
            experiments.addAll(request.experimentIds());
        }
        if (experiments.isEmpty()) {
            violations.add(Violation.of("experiment_id", "must be given, or experiment_ids", "missing"));
        }
        Threshold minScore = Threshold.parse(request.minScore(), "min_score", -Double.MAX_VALUE, Double.MAX_VALUE, violations);
        Threshold maxDrop = Threshold.parse(request.maxDrop(), "max_drop", 0, Double.MAX_VALUE, violations);
        Threshold confidence = Threshold.parse(request.confidence(), "confidence", 0.5, 0.999, violations);
        ProblemException.throwIfAny(violations);
        Set<String> keys = request.feedbackKeys() == null ? null : Set.copyOf(request.feedbackKeys());
        List<UUID> distinct = experiments.stream().distinct().toList();
        boolean anyLimit = minScore.isGiven() || maxDrop.isGiven();
        return new GateCriteria(distinct, keys, minScore,
                anyLimit ? maxDrop : new Threshold(0.0, Threshold.NONE.byKey()),
                anyLimit || confidence.isGiven() ? confidence : new Threshold(DEFAULT_CONFIDENCE, Threshold.NONE.byKey()));
    }

    boolean requiresBaseline() {
        return maxDrop.isGiven();
    }

    /** Returns the keys to evaluate if {@code available} are the keys with scores. */
    Set<String> evaluatedKeys(Set<String> available) {
        Set<String> evaluated = new TreeSet<>(minScore.byKey().keySet());
        evaluated.addAll(maxDrop.byKey().keySet());
        if (minScore.forAll() != null || maxDrop.forAll() != null) {
            evaluated.addAll(keys == null ? available : keys);
        }
        return evaluated;
    }

    /** Returns whether the request names the key, which must then have scores. */
    boolean isNamed(String key) {
        Set<String> named = new HashSet<>(minScore.byKey().keySet());
        named.addAll(maxDrop.byKey().keySet());
        if (keys != null) {
            named.addAll(keys);
        }
        return named.contains(key);
    }

    @Nullable
    Double minScore(String key) {
        return minScore.of(key, isCoveredByDefault(key));
    }

    @Nullable
    Double maxDrop(String key) {
        return maxDrop.of(key, isCoveredByDefault(key));
    }

    @Nullable
    Double confidence(String key) {
        return confidence.of(key, true);
    }

    private boolean isCoveredByDefault(String key) {
        return keys == null || keys.contains(key);
    }

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
}
