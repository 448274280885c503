package dev.waybill.common.filter;

import java.util.List;

import dev.waybill.common.filter.Filter.Comparison;

/** The left side of a comparison. Every condition it creates is true or false, never null. */
interface Operand {

    String equal(FilterValue value);

    String compare(Comparison comparison, FilterValue value);

    String like(String pattern, boolean ignoreCase);

    /** @param values at least one */
    String oneOf(List<FilterValue> values);

    String present();

    default String satisfies(Filter.OnField condition) {
        return switch (condition) {
            case Filter.Equal equal -> equal(equal.value());
            case Filter.Compare compare -> compare(compare.comparison(), compare.value());
            case Filter.Like like -> like(like.pattern(), like.ignoreCase());
            case Filter.OneOf oneOf -> oneOf.values().isEmpty() ? "FALSE" : oneOf(oneOf.values());
            case Filter.Present _ -> present();
        };
    }
}
