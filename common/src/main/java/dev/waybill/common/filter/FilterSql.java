package dev.waybill.common.filter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A filter as a condition on {@code trace.runs}: true or false and never null, whatever the run holds, and without a failure.
 * It
 * narrows a statement and guards nothing: workspace and session stay the statement's own conditions.
 *
 * @param condition the condition, in parentheses; every value of the filter is a placeholder in it
 * @param values what the placeholders stand for, in their order
 */
public record FilterSql(String condition, List<FilterValue> values) {

    // Names within a condition begin with f_, so that none of them hides the run's.
    private static final Pattern ALIAS = Pattern.compile("(?!f_)[a-z][a-z0-9_]*");

    public FilterSql {
        values = List.copyOf(values);
    }

    /**
     * The condition that {@code filter} is.
     *
     * @param alias what {@code trace.runs} is called in the statement
     */
    public static FilterSql of(Filter filter, String alias, PlaceholderStyle style) {
        if (!ALIAS.matcher(alias).matches()) {
            throw new IllegalArgumentException("no name for a table in a filtered statement: " + alias);
        }
        Placeholders placeholders = new Placeholders(style);
        String condition = new RunConditions(alias, placeholders).of(filter);
        return new FilterSql("(" + condition + ")", placeholders.values());
    }

    /** The values as the reactive client binds them. */
    public List<Object> bindables() {
        return values.stream().map(FilterValue::bindable).toList();
    }

    /** The values as settings, by name: each to be set by {@code SELECT set_config(name, value, true)}. */
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        for (FilterValue value : values) {
            settings.put(PlaceholderStyle.settingName(settings.size()), value.text());
        }
        return settings;
    }
}
