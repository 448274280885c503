package dev.waybill.experiment.v2;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.QueryRunsV2Request;
import dev.waybill.common.filter.FilterMembers;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Validates queries for runs. */
@Singleton
class QueryRunsV2Validator implements BodyValidator<QueryRunsV2Request> {

    @Override
    public Class<QueryRunsV2Request> type() {
        return QueryRunsV2Request.class;
    }

    @Override
    public List<Violation> violations(QueryRunsV2Request request, Set<String> invalidMembers) {
        List<Violation> violations = new ArrayList<>();
        boolean projects = request.projectIds() != null && !request.projectIds().isEmpty();
        if (projects == (request.referenceDatasetId() != null) && invalidMembers.isEmpty()) {
            violations.add(Violation.of("project_ids", "or reference_dataset_id must be given, but not both", "missing"));
        }
        FilterMembers.read("filter", request.filter(), violations);
        FilterMembers.read("trace_filter", request.traceFilter(), violations);
        FilterMembers.read("tree_filter", request.treeFilter(), violations);
        RunSelect.SelectParser.read(request.selects(), RunSelect.ID, RunSelect::of, violations);
        return violations;
    }
}
