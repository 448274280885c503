package dev.waybill.runtime.thread;

import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Rejects members of a search that would be ignored. */
@Singleton
class SearchThreadsValidator implements BodyValidator<SearchThreadsRequest> {

    @Override
    public Class<SearchThreadsRequest> type() {
        return SearchThreadsRequest.class;
    }

    @Override
    public List<Violation> violations(SearchThreadsRequest body, Set<String> invalid) {
        return body.extract() == null || body.extract().isEmpty() ? List.of()
                : List.of(Violation.of("extract", "is not supported; leave it out and select values", "unsupported"));
    }
}
