package dev.waybill.runtime.item;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Validates the conditions of a filter. */
@Singleton
class SearchItemsValidator implements BodyValidator<SearchItemsRequest> {

    private static final Set<String> EQUALITY = Set.of("$eq", "$ne");
    private static final Set<String> ORDER = Set.of("$gt", "$gte", "$lt", "$lte");

    @Override
    public Class<SearchItemsRequest> type() {
        return SearchItemsRequest.class;
    }

    @Override
    public List<Violation> violations(SearchItemsRequest body, Set<String> invalid) {
        List<Violation> violations = new ArrayList<>();
        if (body.filter() != null) {
            body.filter().properties().forEach(member -> addViolations(member, violations));
        }
        return violations;
    }

    private static void addViolations(Map.Entry<String, JsonNode> member, List<Violation> violations) {
        for (Map.Entry<String, JsonNode> condition : member.getValue().properties()) {
            String operator = condition.getKey();
            JsonNode operand = condition.getValue();
            List<Object> location = List.of("filter", member.getKey(), operator);
            if (ORDER.contains(operator)) {
                if (!operand.isNumber() && !operand.isTextual()) {
                    violations.add(new Violation(location, "must be a number or a string", "type"));
                }
            } else if (operator.startsWith("$") && !EQUALITY.contains(operator)) {
                violations
                        .add(new Violation(location, "is not supported; use $eq, $ne, $gt, $gte, $lt or $lte", "unsupported"));
            }
        }
    }
}
