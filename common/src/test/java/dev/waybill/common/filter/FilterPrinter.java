package dev.waybill.common.filter;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints a filter in the filter language, in its canonical form. */
final class FilterPrinter {

    private FilterPrinter() {
    }

    static String print(Filter filter) {
        return switch (filter) {
            case Filter.And and -> "and" + all(and.conditions());
            case Filter.Or or -> "or" + all(or.conditions());
            case Filter.Not not -> "not(" + print(not.condition()) + ")";
            case Filter.Equal equal -> "eq(" + equal.field().wireName() + ", " + print(equal.value()) + ")";
            case Filter.Compare compare -> name(compare.comparison()) + "(" + compare.field().wireName() + ", "
                    + print(compare.value()) + ")";
            case Filter.Like like -> (like.ignoreCase() ? "ilike(" : "like(") + like.field().wireName() + ", "
                    + quoted(like.pattern()) + ")";
            case Filter.OneOf oneOf -> "in(" + oneOf.field().wireName() + ", ["
                    + oneOf.values().stream().map(FilterPrinter::print).collect(Collectors.joining(", ")) + "])";
            case Filter.Present present -> "exists(" + present.field().wireName() + ")";
            case Filter.Tagged tagged -> "has(tags, " + quoted(tagged.tag()) + ")";
            case Filter.Search search -> "search(" + quoted(String.join(" ", search.words())) + ")";
            case Filter.HasKey hasKey -> "exists(" + hasKey.pairType().name().toLowerCase(Locale.ROOT) + "_key, "
                    + quoted(hasKey.key()) + ")";
        };
    }

    private static String all(List<Filter> filters) {
        return filters.stream().map(FilterPrinter::print).collect(Collectors.joining(", ", "(", ")"));
    }

    private static String name(Filter.Comparison comparison) {
        return switch (comparison) {
            case GREATER -> "gt";
            case GREATER_OR_EQUAL -> "gte";
            case LESS -> "lt";
            case LESS_OR_EQUAL -> "lte";
        };
    }

    private static String print(FilterValue value) {
        return switch (value) {
            case FilterValue.Number number -> number.text();
            case FilterValue.Flag flag -> flag.text();
            case FilterValue.Text text -> quoted(text.text());
            case FilterValue.Time time -> quoted(time.text());
            case FilterValue.Id id -> quoted(id.text());
        };
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
