package dev.waybill.common.filter;

import java.util.List;
import java.util.stream.Collectors;

/** The key and the value of the pair in the current row. */
record PairOperands(Operand key, Operand value) {

    /** Returns the condition on this pair. */
    String satisfy(Filter condition) {
        return switch (condition) {
            case Filter.And and -> joined(and.conditions(), " AND ");
            case Filter.Or or -> joined(or.conditions(), " OR ");
            case Filter.Not not -> "NOT (" + satisfy(not.condition()) + ")";
            case Filter.OnField onField -> (isKey(onField) ? key : value).satisfies(onField);
            case Filter.OnRun _ ->
                throw new IllegalArgumentException("not a condition on a pair: " + condition);
        };
    }

    private String joined(List<Filter> conditions, String operator) {
        return conditions.stream().map(this::satisfy).collect(Collectors.joining(operator, "(", ")"));
    }

    static boolean isKey(Filter.OnField condition) {
        return condition.field().type() == FilterType.KEY;
    }
}
