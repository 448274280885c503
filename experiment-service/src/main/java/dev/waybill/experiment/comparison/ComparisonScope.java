package dev.waybill.experiment.comparison;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Experiments to compare; all belong to one dataset of the workspace.
 *
 * @param experiments in the order of the request; the baseline is last if the request does not list it
 * @param baseline the experiment to compare the others with, one of {@code experiments}; null without a baseline
 */
public record ComparisonScope(UUID tenantId, UUID datasetId, List<Experiment> experiments, @Nullable UUID baseline,
        ScoreDirections directions) {

    UUID[] ids() {
        return experiments.stream().map(Experiment::id).toArray(UUID[]::new);
    }

    /** Returns this scope with another baseline. */
    ComparisonScope withBaseline(UUID other) {
        return new ComparisonScope(tenantId, datasetId, experiments, other, directions);
    }

    /** Returns the scores of the baseline; null without a baseline. */
    public @Nullable ExperimentScores baselineOf(List<ExperimentScores> scores) {
        return scores.stream().filter(one -> one.id().equals(baseline)).findFirst().orElse(null);
    }

    /** An experiment's id and name. */
    public record Experiment(UUID id, String name) {
    }
}
