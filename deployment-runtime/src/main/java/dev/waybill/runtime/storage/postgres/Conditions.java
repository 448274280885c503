package dev.waybill.runtime.storage.postgres;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** A statement that is composed of parts; each {@code ?} of a part stands for its next parameter. */
final class Conditions {

    /** {@code $1} and {@code $2} are the workspace and the deployment. */
    private static final int FIRST_PARAMETER = 3;

    private final StringBuilder sql = new StringBuilder();
    private final List<@Nullable Object> parameters = new ArrayList<>();

    /** Adds a part. */
    Conditions add(String part, @Nullable Object... values) {
        int next = 0;
        for (int i = 0; i < part.length(); i++) {
            if (part.charAt(i) == '?') {
                sql.append('$').append(FIRST_PARAMETER + parameters.size());
                parameters.add(values[next++]);
            } else {
                sql.append(part.charAt(i));
            }
        }
        return this;
    }

    /** Adds a part unless its parameter is null. */
    Conditions addIfPresent(String part, @Nullable Object value) {
        return value == null ? this : add(part, value);
    }

    /**
     * Adds the condition that a column with JSON contains other JSON, unless that is null. JSON that the type jsonb cannot
     * represent, such as a text with a zero character, matches nothing.
     */
    Conditions addContains(String column, @Nullable String expected) {
        return expected == null ? this
                : add(" AND CASE WHEN pg_input_is_valid(" + column + ", 'jsonb')"
                        + " AND pg_input_is_valid(?::text, 'jsonb') THEN " + column
                        + "::jsonb @> ?::text::jsonb ELSE FALSE END",
                        expected, expected);
    }

    /** Returns a copy that can be continued in another way. */
    Conditions copy() {
        Conditions copy = new Conditions();
        copy.sql.append(sql);
        copy.parameters.addAll(parameters);
        return copy;
    }

    /** Returns the statement, with another one before it that has no parameters. */
    String sql(String prefix) {
        return prefix + sql;
    }

    /** Returns the parameters in their order. */
    @Nullable
    Object[] parameters() {
        return parameters.toArray();
    }
}
