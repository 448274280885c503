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
import dev.waybill.experiment.comparison.ComparisonScope;
import dev.waybill.experiment.comparison.ExperimentScores;
import dev.waybill.experiment.comparison.ComparisonScopeService;
import io.smallrye.mutiny.Uni;

/** Says whether experiments are good enough; a pipeline acts on it. */
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

    Uni<GateResponse> judge(UUID tenantId, UUID datasetId, GateRequest request) {
        GateCriteria rules = GateCriteria.of(request);
        return database.inWorkspace(tenantId, connection -> scopes
                .scope(connection, tenantId, datasetId, rules.experiments(), request.baselineExperimentId(),
                        request.higherIsBetter())
                .invoke(scope -> requireBaseline(scope, rules))
                .chain(scope -> scopes.figures(connection, scope)
                        .map(figures -> new Found(scope, figures))))
                .chain(found -> blocking.call(() -> new GateEvaluator(found.scope(), found.figures(), rules).judge()));
    }

    private static void requireBaseline(ComparisonScope scope, GateCriteria rules) {
        if (scope.baseline() == null && rules.needBaseline()) {
            throw ProblemException.invalid(Violation.of("baseline_experiment_id", "must be given: the dataset has no baseline."
                    + " PATCH /api/v1/datasets/" + scope.datasetId()
                    + " {\"baseline_experiment_id\": ...} sets one for all gates; min_score alone needs none", "missing"));
        }
        if (scope.baseline() != null && rules.needBaseline() && rules.experiments().contains(scope.baseline())) {
            throw ProblemException.invalid(Violation.of("baseline_experiment_id",
                    "must be another experiment than those that are to pass; " + scope.baseline() + " is the baseline",
                    "invalid"));
        }
    }

    private record Found(ComparisonScope scope, List<ExperimentScores> figures) {
    }
}
