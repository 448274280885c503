package dev.waybill.experiment.query;

import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.QueryRunStatsRequest;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Validates queries for statistics of runs by the rules of run queries. */
@Singleton
class RunStatsValidator implements BodyValidator<QueryRunStatsRequest> {

    @Override
    public Class<QueryRunStatsRequest> type() {
        return QueryRunStatsRequest.class;
    }

    @Override
    public List<Violation> violations(QueryRunStatsRequest request, Set<String> invalidMembers) {
        return RunQueryParser.violations(request.toQuery(), invalidMembers);
    }
}
