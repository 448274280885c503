package dev.waybill.common.filter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A filter as an SQL condition on {@code trace.runs}. It is true or false, never null, and cannot fail on any stored run. It
 * only restricts the result; access control by workspace and session remains in the statement's own conditions.
 *
 * @param condition the condition in parentheses, with a placeholder for every value of the filter
 * @param values values of the placeholders in order
 */
public record FilterSql(String condition, List<FilterValue> values) {

    // Names within a condition start with f_, so that none hides the alias of the run.
    private static final Pattern ALIAS = Pattern.compile("(?!f_)[a-z][a-z0-9_]*");

    public FilterSql {
        values = List.copyOf(values);
    }

    /**
     * Translates {@code filter} to SQL.
     *
     * @param alias alias of {@code trace.runs} in the statement
     */
    public static FilterSql of(Filter filter, String alias, PlaceholderStyle style) {
        if (!ALIAS.matcher(alias).matches()) {
            throw new IllegalArgumentException("not a valid table alias for a filter: " + alias);
        }
        Placeholders placeholders = new Placeholders(style);
        String condition = new RunConditions(alias, placeholders).of(filter);
        return new FilterSql("(" + condition + ")", placeholders.values());
    }

    /** Returns the values to bind with the reactive client. */
    public List<Object> bindables() {
        return values.stream().map(FilterValue::bindable).toList();
    }

    /** Returns the values as settings by name, each to be set with {@code SELECT set_config(name, value, true)}. */
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        for (FilterValue value : values) {
            settings.put(PlaceholderStyle.settingName(settings.size()), value.text());
        }
        return settings;
    }
}
