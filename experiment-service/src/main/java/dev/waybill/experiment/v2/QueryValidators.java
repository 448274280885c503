package dev.waybill.experiment.v2;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.api.experiment.QueryExperimentRunsV2Request;
import dev.waybill.common.api.trace.QueryRunsV2Request;
import dev.waybill.common.api.trace.QueryThreadsRequest;
import dev.waybill.common.filter.FilterMembers;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Rules of queries of version 2. */
final class QueryValidators {

    private QueryValidators() {
    }

    /** Validates queries for runs. */
    @Singleton
    static class ForRuns implements BodyValidator<QueryRunsV2Request> {

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

    /** Validates queries for threads. */
    @Singleton
    static class ForThreads implements BodyValidator<QueryThreadsRequest> {

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

    /** Validates queries for runs of experiments. */
    @Singleton
    static class ForRunsOfExperiments implements BodyValidator<QueryExperimentRunsV2Request> {

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
}
