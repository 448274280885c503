package dev.waybill.runtime.run;

import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Validates rules of the members of a new run on a thread. */
@Singleton
class CreateThreadRunValidator implements BodyValidator<CreateThreadRunRequest> {

    @Override
    public Class<CreateThreadRunRequest> type() {
        return CreateThreadRunRequest.class;
    }

    @Override
    public List<Violation> violations(CreateThreadRunRequest body, Set<String> invalid) {
        return body.violations();
    }
}
