package dev.waybill.common.filter;

import static dev.waybill.common.filter.FilterFunction.EQ;
import static dev.waybill.common.filter.FilterFunction.EXISTS;
import static dev.waybill.common.filter.FilterFunction.GT;
import static dev.waybill.common.filter.FilterFunction.GTE;
import static dev.waybill.common.filter.FilterFunction.HAS;
import static dev.waybill.common.filter.FilterFunction.ILIKE;
import static dev.waybill.common.filter.FilterFunction.IN;
import static dev.waybill.common.filter.FilterFunction.LIKE;
import static dev.waybill.common.filter.FilterFunction.LT;
import static dev.waybill.common.filter.FilterFunction.LTE;
import static dev.waybill.common.filter.FilterFunction.NEQ;

import java.util.Set;

/** The type of a field: the functions that support it and the values it can be compared with. */
enum FilterType {
    TEXT("a string in quotes", Set.of(EQ, NEQ, GT, GTE, LT, LTE, LIKE, ILIKE, IN, EXISTS)),
    ID("a UUID in quotes", Set.of(EQ, NEQ, IN, EXISTS)),
    TIME("an ISO 8601 time in quotes", Set.of(EQ, NEQ, GT, GTE, LT, LTE, IN, EXISTS)),
    NUMBER("a number", Set.of(EQ, NEQ, GT, GTE, LT, LTE, IN, EXISTS)),
    DURATION("a number of seconds, or a duration such as \"5s\" or \"200ms\"", Set.of(EQ, NEQ, GT, GTE, LT, LTE, IN, EXISTS)),
    FLAG("true or false", Set.of(EQ, NEQ, IN, EXISTS)),
    TAGS("null; use has(tags, \"x\") to search for a tag", Set.of(EQ, NEQ, HAS, EXISTS)),
    /** The key of a pair. */
    KEY("a string in quotes", Set.of(EQ, NEQ, GT, GTE, LT, LTE, LIKE, ILIKE, IN, EXISTS)),
    /** The value of a pair, of any type. */
    VALUE("a string in quotes, a number, true or false", Set.of(EQ, NEQ, GT, GTE, LT, LTE, LIKE, ILIKE, IN, EXISTS)),
    /** The value of a pair that is always a number. */
    SCORE("a number", Set.of(EQ, NEQ, GT, GTE, LT, LTE, IN, EXISTS));

    private final String expectation;
    private final Set<FilterFunction> functions;

    FilterType(String expectation, Set<FilterFunction> functions) {
        this.expectation = expectation;
        this.functions = functions;
    }

    boolean supports(FilterFunction function) {
        return functions.contains(function);
    }

    /** Returns a description of the values that {@code function} compares such a field with. */
    String expectation(FilterFunction function) {
        return switch (function) {
            case EQ, NEQ -> this == TAGS ? expectation : expectation + ", or null";
            case GT, GTE, LT, LTE -> this == VALUE ? "a string in quotes or a number" : expectation;
            case LIKE, ILIKE -> "a pattern in quotes";
            case AND, OR, NOT, IN, HAS, SEARCH, EXISTS -> expectation;
        };
    }
}
