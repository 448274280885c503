package dev.waybill.experiment.query;

import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.QueryRunStatsRequest;
import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Rules of queries for runs and for their statistics (docs/decisions/0026). */
final class RunQueryValidators {

    private RunQueryValidators() {
    }

    /** Validates queries for runs (docs/decisions/0026). */
    @Singleton
    static class ForRuns implements BodyValidator<QueryRunsRequest> {

        @Override
        public Class<QueryRunsRequest> type() {
            return QueryRunsRequest.class;
        }

        @Override
        public List<Violation> violations(QueryRunsRequest request, Set<String> invalidMembers) {
            return RunQueryParser.violations(request, invalidMembers);
        }
    }

    /** Validates queries for statistics of runs by the rules of run queries. */
    @Singleton
    static class ForStatistics implements BodyValidator<QueryRunStatsRequest> {

        @Override
        public Class<QueryRunStatsRequest> type() {
            return QueryRunStatsRequest.class;
        }

        @Override
        public List<Violation> violations(QueryRunStatsRequest request, Set<String> invalidMembers) {
            return RunQueryParser.violations(request.toQuery(), invalidMembers);
        }
    }
}
