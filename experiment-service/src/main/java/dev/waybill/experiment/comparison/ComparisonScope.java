package dev.waybill.experiment.comparison;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Experiments that may be compared: of one dataset of the workspace.
 *
 * @param experiments as they were asked for; the baseline comes last when it was not among them
 * @param baseline what the others are held against; one of them
 */
public record ComparisonScope(UUID tenantId, UUID datasetId, List<Experiment> experiments, @Nullable UUID baseline,
        ScoreDirections directions) {

    UUID[] ids() {
        return experiments.stream().map(Experiment::id).toArray(UUID[]::new);
    }

    /** The same against this one of its experiments. */
    ComparisonScope against(UUID other) {
        return new ComparisonScope(tenantId, datasetId, experiments, other, directions);
    }

    /** Which of the figures are the baseline's. */
    public @Nullable ExperimentScores baselineOf(List<ExperimentScores> figures) {
        return figures.stream().filter(one -> one.id().equals(baseline)).findFirst().orElse(null);
    }

    /** An experiment and what it is called. */
    public record Experiment(UUID id, String name) {
    }
}
