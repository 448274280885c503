package dev.waybill.runtime.run;

import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Requires one selection of runs: those of a thread by id, or all with a status. */
@Singleton
class CancelRunsValidator implements BodyValidator<CancelRunsRequest> {

    @Override
    public Class<CancelRunsRequest> type() {
        return CancelRunsRequest.class;
    }

    @Override
    public List<Violation> violations(CancelRunsRequest body, Set<String> invalid) {
        if (!invalid.isEmpty()) {
            return List.of();
        }
        if (body.namesRuns() && body.status() != null) {
            return List.of(Violation.of("status", "must be left out if run_ids are given", "invalid"));
        }
        if (body.namesRuns()) {
            return body.threadId() != null ? List.of()
                    : List.of(Violation.of("thread_id", "is required with run_ids", "missing"));
        }
        return body.status() != null ? List.of()
                : List.of(Violation.of("status", "is required unless thread_id and run_ids are given", "missing"));
    }
}
