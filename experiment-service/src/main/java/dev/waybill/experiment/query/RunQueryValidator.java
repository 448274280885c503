package dev.waybill.experiment.query;

import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Validates queries for runs (docs/decisions/0026). */
@Singleton
class RunQueryValidator implements BodyValidator<QueryRunsRequest> {

    @Override
    public Class<QueryRunsRequest> type() {
        return QueryRunsRequest.class;
    }

    @Override
    public List<Violation> violations(QueryRunsRequest request, Set<String> invalidMembers) {
        return RunQueryParser.violations(request, invalidMembers);
    }
}
