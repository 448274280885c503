package dev.waybill.runtime.thread;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Validates the states of a new thread. */
@Singleton
class CreateThreadValidator implements BodyValidator<CreateThreadRequest> {

    private static final int MAX_STEPS = 1_000;

    @Override
    public Class<CreateThreadRequest> type() {
        return CreateThreadRequest.class;
    }

    @Override
    public List<Violation> violations(CreateThreadRequest body, Set<String> invalid) {
        JsonNode supersteps = body.supersteps();
        if (supersteps == null || supersteps.isNull()) {
            return List.of();
        }
        if (!supersteps.isArray() || supersteps.size() > MAX_STEPS) {
            return List.of(Violation.of("supersteps", "must be a list of at most %s objects".formatted(MAX_STEPS), "invalid"));
        }
        List<Violation> violations = new ArrayList<>();
        for (int i = 0; i < supersteps.size(); i++) {
            JsonNode updates = supersteps.get(i).path("updates");
            if (!updates.isArray() || updates.isEmpty() || updates.size() > MAX_STEPS
                    || !updates.valueStream().allMatch(CreateThreadValidator::isUpdate)) {
                violations.add(new Violation(List.of("supersteps", i, "updates"),
                        "must be a list of 1 to %s objects with values, command and as_node".formatted(MAX_STEPS), "invalid"));
            }
        }
        return violations;
    }

    private static boolean isUpdate(JsonNode update) {
        return update.isObject() && isTextOrNull(update.get("as_node")) && isObjectOrNull(update.get("command"));
    }

    private static boolean isTextOrNull(@Nullable JsonNode value) {
        return value == null || value.isNull() || value.isTextual();
    }

    private static boolean isObjectOrNull(@Nullable JsonNode value) {
        return value == null || value.isNull() || value.isObject();
    }
}
