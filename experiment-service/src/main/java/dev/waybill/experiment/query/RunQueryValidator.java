package dev.waybill.experiment.query;

import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** What may be asked for (docs/decisions/0026). */
@Singleton
class RunQueryValidator implements BodyValidator<QueryRunsRequest> {

    @Override
    public Class<QueryRunsRequest> type() {
        return QueryRunsRequest.class;
    }

    @Override
    public List<Violation> violations(QueryRunsRequest request, Set<String> unread) {
        return RunQueryParser.violations(request, unread);
    }
}
