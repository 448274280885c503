package dev.waybill.common.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.waybill.common.filter.FilterValue.Text;

/** Collects a condition's values: the only way for one to get near its text. */
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

    /** The values, separated by commas. */
    String of(List<FilterValue> all) {
        return all.stream().map(this::of).collect(Collectors.joining(", "));
    }

    List<FilterValue> values() {
        return values;
    }
}
