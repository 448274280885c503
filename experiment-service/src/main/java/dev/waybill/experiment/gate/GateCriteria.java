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
 * What a gate asks.
 *
 * @param keys what numbers for all keys are about; null: all there are
 */
record GateCriteria(List<UUID> experiments, @Nullable Set<String> keys, Threshold minScore, Threshold maxDrop, Threshold confidence) {

    private static final double DEFAULT_CONFIDENCE = 0.95;

    /** 422 with all that is wrong. */
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
            violations.add(Violation.of("experiment_id", "must be given, or several in experiment_ids", "missing"));
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

    boolean needBaseline() {
        return maxDrop.isGiven();
    }

    /** The keys that something is asked of, when {@code there} are those that have scores. */
    Set<String> asked(Set<String> there) {
        Set<String> asked = new TreeSet<>(minScore.byKey().keySet());
        asked.addAll(maxDrop.byKey().keySet());
        if (minScore.forAll() != null || maxDrop.forAll() != null) {
            asked.addAll(keys == null ? there : keys);
        }
        return asked;
    }

    /** Whether somebody named the key, so that it must be there. */
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
        return minScore.of(key, isGeneral(key));
    }

    @Nullable
    Double maxDrop(String key) {
        return maxDrop.of(key, isGeneral(key));
    }

    @Nullable
    Double confidence(String key) {
        return confidence.of(key, true);
    }

    private boolean isGeneral(String key) {
        return keys == null || keys.contains(key);
    }
}
