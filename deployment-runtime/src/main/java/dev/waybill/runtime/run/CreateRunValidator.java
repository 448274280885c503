package dev.waybill.runtime.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Validates rules between members of a new run, and rejects members that require a thread. */
@Singleton
class CreateRunValidator implements BodyValidator<CreateRunRequest> {

    @Override
    public Class<CreateRunRequest> type() {
        return CreateRunRequest.class;
    }

    @Override
    public List<Violation> violations(CreateRunRequest body, Set<String> invalid) {
        List<Violation> violations = new ArrayList<>();
        if (body.input() == null && body.command() == null && !invalid.contains("input") && !invalid.contains("command")) {
            violations.add(Violation.of("input", "is required unless command is given; it may be null", "missing"));
        }
        threadMembers(body).forEach((name, value) -> {
            if (isSet(value)) {
                violations.add(Violation.of(name, "needs a thread, which this run does not have; leave it out", "invalid"));
            }
        });
        return violations;
    }

    private static Map<String, @Nullable JsonNode> threadMembers(CreateRunRequest body) {
        Map<String, @Nullable JsonNode> members = new LinkedHashMap<>();
        members.put("interrupt_before", body.interruptBefore());
        members.put("interrupt_after", body.interruptAfter());
        members.put("checkpoint", body.checkpoint());
        members.put("checkpoint_id", body.checkpointId());
        members.put("checkpoint_during", body.checkpointDuring());
        return members;
    }

    /** Returns whether the value has an effect: clients also send null, empty lists and false. */
    private static boolean isSet(@Nullable JsonNode value) {
        return value != null && !value.isNull() && !(value.isArray() && value.isEmpty())
                && !(value.isBoolean() && !value.booleanValue());
    }
}
