package dev.waybill.experiment.v2;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.QueryThreadsRequest;
import dev.waybill.common.filter.FilterMembers;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Validates queries for threads. */
@Singleton
class QueryThreadsValidator implements BodyValidator<QueryThreadsRequest> {

    @Override
    public Class<QueryThreadsRequest> type() {
        return QueryThreadsRequest.class;
    }

    @Override
    public List<Violation> violations(QueryThreadsRequest request, Set<String> invalidMembers) {
        List<Violation> violations = new ArrayList<>();
        FilterMembers.read("filter", request.filter(), violations);
        FilterMembers.read("trace_filter", request.traceFilter(), violations);
        FilterMembers.read("tree_filter", request.treeFilter(), violations);
        return violations;
    }
}
