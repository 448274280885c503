package dev.waybill.common.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.waybill.common.filter.FilterValue.Text;

/** Collects the values of a condition and returns their placeholders, so that no value becomes part of the SQL text. */
final class Placeholders {

    private final PlaceholderStyle style;
    private final List<FilterValue> values = new ArrayList<>();

    Placeholders(PlaceholderStyle style) {
        this.style = style;
    }

    String of(FilterValue value) {
        values.add(value);
        return style.placeholder(values.size() - 1, value.sqlType());
    }

    String of(String text) {
        return of(new Text(text));
    }

    /** Returns the placeholders of the values, separated by commas. */
    String of(List<FilterValue> all) {
        return all.stream().map(this::of).collect(Collectors.joining(", "));
    }

    List<FilterValue> values() {
        return values;
    }
}
