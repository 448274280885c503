package dev.waybill.experiment.comparison;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.DatasetResponse;
import dev.waybill.experiment.dataset.DatasetService;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Settles what is compared with what, and what it is as a whole; inside the caller's transaction. */
@Singleton
public class ComparisonScopeService {

    private final DatasetService datasets;
    private final ComparedExperimentRepository scopes;
    private final ExperimentScoreRepository figures;

    ComparisonScopeService(DatasetService datasets, ComparedExperimentRepository scopes, ExperimentScoreRepository figures) {
        this.datasets = datasets;
        this.scopes = scopes;
        this.figures = figures;
    }

    /**
     * 404 for a dataset or an experiment that is not there, 422 for experiments of another dataset.
     *
     * @param baseline when null, the dataset's own, if it has one
     * @param higherIsBetter goes before what the dataset says
     */
    public Uni<ComparisonScope> scope(SqlConnection connection, UUID tenantId, UUID datasetId, List<UUID> experiments,
            @Nullable UUID baseline, @Nullable Map<String, Boolean> higherIsBetter) {
        return datasets.require(connection, tenantId, datasetId)
                .chain(dataset -> scopes
                        .require(connection, tenantId, datasetId, experiments, baselineOf(dataset, baseline))
                        .map(found -> new ComparisonScope(tenantId, datasetId, found, baselineOf(dataset, baseline),
                                ScoreDirections.of(higherIsBetter, dataset.higherIsBetter()))));
    }

    /** Of the experiments of the scope, in its order. */
    public Uni<List<ExperimentScores>> figures(SqlConnection connection, ComparisonScope scope) {
        return figures.of(connection, scope);
    }

    private static @Nullable UUID baselineOf(DatasetResponse dataset, @Nullable UUID asked) {
        return asked == null ? dataset.baselineExperimentId() : asked;
    }
}
