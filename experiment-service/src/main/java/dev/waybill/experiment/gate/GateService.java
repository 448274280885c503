package dev.waybill.experiment.gate;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.experiment.GateRequest;
import dev.waybill.common.api.experiment.GateResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.comparison.ComparisonScopeService;
import dev.waybill.experiment.comparison.ExperimentScores;
import io.smallrye.mutiny.Uni;

/** Evaluates quality gates on experiments. */
@Singleton
class GateService {

    private final Database database;
    private final ComparisonScopeService scopes;
    private final Blocking blocking;

    GateService(Database database, ComparisonScopeService scopes, Blocking blocking) {
        this.database = database;
        this.scopes = scopes;
        this.blocking = blocking;
    }

    Uni<GateResponse> evaluate(UUID tenantId, UUID datasetId, GateRequest request) {
        GateCriteria criteria = GateCriteria.of(request);
        return database.inWorkspaceSnapshot(tenantId, connection -> scopes
                .scope(connection, tenantId, datasetId, criteria.experiments(), request.baselineExperimentId(),
                        request.higherIsBetter())
                .invoke(scope -> requireBaseline(scope, criteria))
                .chain(scope -> scopes.scores(connection, scope)
                        .map(scores -> new LoadedScores(scope, scores))))
                .chain(loaded -> blocking.call(() -> new GateEvaluator(loaded.scope(), loaded.scores(), criteria).evaluate()));
    }

    private static void requireBaseline(ComparisonScopeService.ComparisonScope scope, GateCriteria criteria) {
        if (scope.baseline() == null && criteria.requiresBaseline()) {
            throw ProblemException.invalid(Violation.of("baseline_experiment_id",
                    "must be given because the dataset has no baseline."
                            + " PATCH /api/v1/datasets/" + scope.datasetId()
                            + " {\"baseline_experiment_id\": ...} sets one for all gates; min_score alone does not need one",
                    "missing"));
        }
        if (scope.baseline() != null && criteria.requiresBaseline() && criteria.experiments().contains(scope.baseline())) {
            throw ProblemException.invalid(Violation.of("baseline_experiment_id",
                    "must not be one of the evaluated experiments; " + scope.baseline() + " is the baseline",
                    "invalid"));
        }
    }

    private record LoadedScores(ComparisonScopeService.ComparisonScope scope, List<ExperimentScores> scores) {
    }
}
