package dev.waybill.experiment.gate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

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
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
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
}
