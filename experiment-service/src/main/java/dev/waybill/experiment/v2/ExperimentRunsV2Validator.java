package dev.waybill.experiment.v2;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.api.experiment.QueryExperimentRunsV2Request;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Validates queries for runs of experiments. */
@Singleton
class ExperimentRunsV2Validator implements BodyValidator<QueryExperimentRunsV2Request> {

    @Override
    public Class<QueryExperimentRunsV2Request> type() {
        return QueryExperimentRunsV2Request.class;
    }

    @Override
    public List<Violation> violations(QueryExperimentRunsV2Request request, Set<String> invalidMembers) {
        List<Violation> violations = new ArrayList<>();
        RunSelect.SelectParser.read(request.selects(), RunSelect.ID, RunSelect::of, violations);
        return violations;
    }
}
