package dev.waybill.experiment.comparison;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CompareExperimentsRequest;
import dev.waybill.common.api.experiment.DatasetResponse;
import dev.waybill.experiment.dataset.DatasetService;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Resolves experiments and baseline of a comparison and reads their scores, in the caller's transaction. */
@Singleton
public class ComparisonScopeService {

    private final DatasetService datasets;
    private final ComparedExperimentRepository experiments;
    private final ExperimentScoreRepository scores;

    ComparisonScopeService(DatasetService datasets, ComparedExperimentRepository experiments,
            ExperimentScoreRepository scores) {
        this.datasets = datasets;
        this.experiments = experiments;
        this.scores = scores;
    }

    /**
     * Returns the scope; responds with 404 if the dataset or an experiment does not exist, with 422 for experiments of
     * another dataset.
     *
     * @param baseline null selects the dataset's baseline, if it has one
     * @param higherIsBetter takes precedence over the dataset's settings
     */
    public Uni<ComparisonScope> scope(SqlConnection connection, UUID tenantId, UUID datasetId, List<UUID> requested,
            @Nullable UUID baseline, @Nullable Map<String, Boolean> higherIsBetter) {
        return datasets.require(connection, tenantId, datasetId)
                .chain(dataset -> experiments
                        .require(connection, tenantId, datasetId, requested, baselineOf(dataset, baseline))
                        .map(found -> new ComparisonScope(tenantId, datasetId, found, baselineOf(dataset, baseline),
                                ScoreDirections.of(higherIsBetter, dataset.higherIsBetter()))));
    }

    /** Like the other method; without a baseline in the request and in the dataset, it is the first experiment. */
    Uni<ComparisonScope> scope(SqlConnection connection, UUID tenantId, UUID datasetId, CompareExperimentsRequest request) {
        return scope(connection, tenantId, datasetId, request.experimentIds(), request.baselineExperimentId(),
                request.higherIsBetter())
                .map(scope -> scope.baseline() != null ? scope : scope.withBaseline(request.experimentIds().getFirst()));
    }

    /** Returns the scores of the experiments in the order of the scope. */
    public Uni<List<ExperimentScores>> scores(SqlConnection connection, ComparisonScope scope) {
        return scores.find(connection, scope);
    }

    private static @Nullable UUID baselineOf(DatasetResponse dataset, @Nullable UUID requested) {
        return requested == null ? dataset.baselineExperimentId() : requested;
    }

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

        /** Returns the experiments that are compared with the baseline. */
        List<UUID> candidates() {
            return experiments.stream().map(Experiment::id).filter(id -> !id.equals(baseline)).toList();
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
}
