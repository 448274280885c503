package dev.waybill.experiment.gate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.GateResponse;
import dev.waybill.common.api.experiment.KeyComparison;
import dev.waybill.experiment.comparison.BootstrapSampler;
import dev.waybill.experiment.comparison.ComparisonScopeService;
import dev.waybill.experiment.comparison.ExperimentScores;
import dev.waybill.experiment.comparison.HolmCorrection;

/** Evaluates experiments against the criteria of a gate. */
final class GateEvaluator {

    private final ComparisonScopeService.ComparisonScope scope;
    private final List<ExperimentScores> scores;
    private final GateCriteria criteria;
    private final @Nullable ExperimentScores baseline;
    private final BootstrapSampler bootstrap = new BootstrapSampler();
    private final List<String> reasons = new ArrayList<>();

    GateEvaluator(ComparisonScopeService.ComparisonScope scope, List<ExperimentScores> scores, GateCriteria criteria) {
        this.scope = scope;
        this.scores = scores;
        this.criteria = criteria;
        this.baseline = scope.baselineOf(scores);
    }

    GateResponse evaluate() {
        List<GateResponse.Experiment> experiments = scores.stream()
                .filter(one -> criteria.experiments().contains(one.id()))
                .map(this::experiment)
                .toList();
        String summary = new GateReport(experiments, baseline == null ? null : baseline.name(), reasons).markdown();
        return new GateResponse(reasons.isEmpty(), List.copyOf(reasons), summary, scope.baseline(), experiments);
    }

    private GateResponse.Experiment experiment(ExperimentScores one) {
        int before = reasons.size();
        Set<String> available = new TreeSet<>(one.keys().keySet());
        if (baseline != null && criteria.requiresBaseline()) {
            available.addAll(baseline.keys().keySet());
        }
        Map<String, KeyComparison> figures = new LinkedHashMap<>();
        for (String key : criteria.evaluatedKeys(available)) {
            figures.put(key, figures(one.of(key)));
        }
        Map<String, GateResponse.Key> keys = new LinkedHashMap<>();
        HolmCorrection.adjust(figures).forEach((key, adjusted) -> keys.put(key, key(one, key, adjusted)));
        // An experiment without any evaluated key fails.
        if (keys.isEmpty()) {
            reasons.add("\"" + one.name() + "\" has no score for any feedback key that the gate evaluates.");
        }
        return new GateResponse.Experiment(one.id(), one.name(), reasons.size() == before, keys);
    }

    private KeyComparison figures(ExperimentScores.FeedbackKeyScores own) {
        boolean higherIsBetter = scope.directions().isHigherBetter(own.key());
        return baseline == null ? own.withoutBaseline(higherIsBetter)
                : own.againstBaseline(baseline.of(own.key()).n(), higherIsBetter, bootstrap);
    }

    // The result of a key does not depend on which other keys are evaluated, so it uses no adjusted p-values.
    private GateResponse.Key key(ExperimentScores one, String key, KeyComparison figures) {
        boolean higherIsBetter = scope.directions().isHigherBetter(key);
        ExperimentScores.FeedbackKeyScores own = one.of(key);
        ExperimentScores.FeedbackKeyScores other = baseline == null ? null : baseline.of(key);
        FeedbackKeyEvaluator evaluator = new FeedbackKeyEvaluator(one.name(), own, other, higherIsBetter);
        Double minScore = criteria.minScore(key);
        if (minScore != null) {
            evaluator.checkMinScore(minScore);
        }
        Double maxDrop = criteria.maxDrop(key);
        Double confidence = maxDrop == null ? null : criteria.confidence(key);
        if (maxDrop != null) {
            evaluator.checkMaxDrop(maxDrop, confidence, criteria.isNamed(key), bootstrap);
        }
        reasons.addAll(evaluator.reasons());
        return new GateResponse.Key(evaluator.reasons().isEmpty(), minScore, maxDrop, confidence,
                other == null ? null : other.avg(), figures);
    }
}
