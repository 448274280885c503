package dev.waybill.common.filter;

import java.util.ArrayList;
import java.util.List;

import dev.waybill.common.filter.Filter.Comparison;
import dev.waybill.common.filter.FilterValue.Flag;
import dev.waybill.common.filter.FilterValue.Id;
import dev.waybill.common.filter.FilterValue.Number;
import dev.waybill.common.filter.FilterValue.Text;
import dev.waybill.common.filter.FilterValue.Time;

/**
 * An operand with a value in a JSON document, which is compared with values of the same type only. Numbers with more than
 * {@value #MAX_NUMBER_LENGTH} characters or an exponent of more than three digits match no comparison, because PostgreSQL
 * cannot
 * represent them or converts them at a high cost that any sender could cause.
 *
 * @param node SQL expression of type json
 */
record JsonOperand(String node, Placeholders placeholders) implements Operand {

    static final int MAX_NUMBER_LENGTH = 1_000;

    @Override
    public String equal(FilterValue value) {
        return switch (value) {
            case Text text -> typed("string", value() + " COLLATE \"C\" = " + placeholders.of(text));
            case Number number -> numeric("= " + placeholders.of(number));
            case Flag flag -> typed("boolean", value() + " = " + placeholders.of(flag.text()));
            case Time _ -> throw new IllegalArgumentException("JSON has no values such as " + value);
            case Id _ -> throw new IllegalArgumentException("JSON has no values such as " + value);
        };
    }

    @Override
    public String compare(Comparison comparison, FilterValue value) {
        return switch (value) {
            case Text text -> typed("string",
                    value() + " COLLATE \"C\" " + comparison.operator() + " " + placeholders.of(text));
            case Number number -> numeric(comparison.operator() + " " + placeholders.of(number));
            case Flag _ -> throw new IllegalArgumentException("JSON has no order of values such as " + value);
            case Time _ -> throw new IllegalArgumentException("JSON has no order of values such as " + value);
            case Id _ -> throw new IllegalArgumentException("JSON has no order of values such as " + value);
        };
    }

    @Override
    public String like(String pattern, boolean ignoreCase) {
        return typed("string", ignoreCase
                ? value() + " ILIKE " + placeholders.of(pattern)
                : value() + " COLLATE \"C\" LIKE " + placeholders.of(pattern));
    }

    @Override
    public String oneOf(List<FilterValue> values) {
        List<FilterValue> texts = values.stream().filter(Text.class::isInstance).toList();
        List<FilterValue> numbers = values.stream().filter(Number.class::isInstance).toList();
        List<String> alternatives = new ArrayList<>();
        if (!texts.isEmpty()) {
            alternatives.add(typed("string", value() + " COLLATE \"C\" IN (" + placeholders.of(texts) + ")"));
        }
        if (!numbers.isEmpty()) {
            alternatives.add(numeric("IN (" + placeholders.of(numbers) + ")"));
        }
        values.stream().filter(Flag.class::isInstance).distinct().map(this::equal).forEach(alternatives::add);
        return "(" + String.join(" OR ", alternatives) + ")";
    }

    @Override
    public String present() {
        return type() + " <> 'null'";
    }

    String isNotArray() {
        return type() + " <> 'array'";
    }

    private String typed(String type, String condition) {
        return "(" + type() + " = '" + type + "' AND " + condition + ")";
    }

    private String numeric(String condition) {
        return "CASE WHEN " + type() + " = 'number' AND length(" + value() + ") <= " + MAX_NUMBER_LENGTH
                + " AND " + value() + " ~ '^[^eE]+([eE][+-]?0*[0-9]{1,3})?$'"
                + " THEN (" + value() + ")::numeric " + condition + " ELSE FALSE END";
    }

    private String type() {
        return "json_typeof(" + node + ")";
    }

    private String value() {
        return "(" + node + " #>> '{}')";
    }
}
