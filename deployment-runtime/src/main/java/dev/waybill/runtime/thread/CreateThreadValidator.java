package dev.waybill.runtime.thread;

import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Rejects members of a new thread that have no effect. */
@Singleton
class CreateThreadValidator implements BodyValidator<CreateThreadRequest> {

    @Override
    public Class<CreateThreadRequest> type() {
        return CreateThreadRequest.class;
    }

    @Override
    public List<Violation> violations(CreateThreadRequest body, Set<String> invalid) {
        JsonNode supersteps = body.supersteps();
        boolean empty = supersteps == null || supersteps.isNull() || supersteps.isArray() && supersteps.isEmpty();
        return empty ? List.of()
                : List.of(Violation.of("supersteps", "is not supported; leave it out and update the state of the thread",
                        "unsupported"));
    }
}
