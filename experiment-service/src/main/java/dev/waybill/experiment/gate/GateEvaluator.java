package dev.waybill.experiment.gate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.GateResponse;
import dev.waybill.experiment.comparison.BootstrapSampler;
import dev.waybill.experiment.comparison.ComparisonScope;
import dev.waybill.experiment.comparison.ExperimentScores;
import dev.waybill.experiment.comparison.FeedbackKeyScores;

/** Holds experiments against what a gate asks of them. */
final class GateEvaluator {

    private final ComparisonScope scope;
    private final List<ExperimentScores> figures;
    private final GateCriteria rules;
    private final @Nullable ExperimentScores baseline;
    private final BootstrapSampler bootstrap = new BootstrapSampler();
    private final List<String> reasons = new ArrayList<>();

    GateEvaluator(ComparisonScope scope, List<ExperimentScores> figures, GateCriteria rules) {
        this.scope = scope;
        this.figures = figures;
        this.rules = rules;
        this.baseline = scope.baselineOf(figures);
    }

    GateResponse judge() {
        List<GateResponse.Experiment> experiments = figures.stream()
                .filter(one -> rules.experiments().contains(one.id()))
                .map(this::experiment)
                .toList();
        String summary = new GateReport(experiments, baseline == null ? null : baseline.name(), reasons).markdown();
        return new GateResponse(reasons.isEmpty(), List.copyOf(reasons), summary, scope.baseline(), experiments);
    }

    private GateResponse.Experiment experiment(ExperimentScores one) {
        int before = reasons.size();
        Set<String> there = new TreeSet<>(one.keys().keySet());
        if (baseline != null && rules.needBaseline()) {
            there.addAll(baseline.keys().keySet());
        }
        Map<String, GateResponse.Key> keys = new LinkedHashMap<>();
        for (String key : rules.asked(there)) {
            keys.put(key, key(one, key));
        }
        // An experiment that was never judged has not passed.
        if (keys.isEmpty()) {
            reasons.add("\"" + one.name() + "\" has no score of any key that could pass.");
        }
        return new GateResponse.Experiment(one.id(), one.name(), reasons.size() == before, keys);
    }

    private GateResponse.Key key(ExperimentScores one, String key) {
        boolean higherIsBetter = scope.directions().isHigherBetter(key);
        FeedbackKeyScores own = one.of(key);
        FeedbackKeyScores other = baseline == null ? null : baseline.of(key);
        FeedbackKeyEvaluator judge = new FeedbackKeyEvaluator(one.name(), own, other, higherIsBetter);
        Double minScore = rules.minScore(key);
        if (minScore != null) {
            judge.requireScore(minScore);
        }
        Double maxDrop = rules.maxDrop(key);
        Double confidence = maxDrop == null ? null : rules.confidence(key);
        if (maxDrop != null) {
            judge.requireNoDrop(maxDrop, confidence, rules.isNamed(key), bootstrap);
        }
        reasons.addAll(judge.reasons());
        return new GateResponse.Key(judge.reasons().isEmpty(), minScore, maxDrop, confidence,
                other == null ? null : other.avg(),
                other == null ? own.alone(higherIsBetter) : own.against(other.n(), higherIsBetter, bootstrap));
    }
}
