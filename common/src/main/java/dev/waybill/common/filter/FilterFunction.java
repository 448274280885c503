package dev.waybill.common.filter;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The functions of the filter language. */
enum FilterFunction {
    AND,
    OR,
    NOT,
    EQ,
    NEQ,
    GT,
    GTE,
    LT,
    LTE,
    LIKE,
    ILIKE,
    HAS,
    IN,
    SEARCH,
    EXISTS;

    private static final Map<String, FilterFunction> BY_NAME = Arrays.stream(values())
            .collect(Collectors.toUnmodifiableMap(FilterFunction::toString, Function.identity()));

    static Optional<FilterFunction> of(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    static String names() {
        return Arrays.stream(values()).map(FilterFunction::toString).collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
