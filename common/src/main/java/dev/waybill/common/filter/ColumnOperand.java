package dev.waybill.common.filter;

import java.util.List;

import dev.waybill.common.filter.Filter.Comparison;

/**
 * An operand with a PostgreSQL value.
 *
 * @param sql the expression
 * @param text whether the value is text, which is compared by code points regardless of the database's collation
 * @param notNull whether the value is never null
 */
record ColumnOperand(String sql, boolean text, boolean notNull, Placeholders placeholders) implements Operand {

    @Override
    public String equal(FilterValue value) {
        return total(comparable() + " = " + placeholders.of(value));
    }

    @Override
    public String compare(Comparison comparison, FilterValue value) {
        return total(comparable() + " " + comparison.operator() + " " + placeholders.of(value));
    }

    @Override
    public String like(String pattern, boolean ignoreCase) {
        // Case mapping depends on the collation: "C" would only cover ASCII, so the database's collation applies.
        return total(ignoreCase
                ? sql + " ILIKE " + placeholders.of(pattern)
                : comparable() + " LIKE " + placeholders.of(pattern));
    }

    @Override
    public String oneOf(List<FilterValue> values) {
        return total(comparable() + " IN (" + placeholders.of(values) + ")");
    }

    @Override
    public String present() {
        return notNull ? "TRUE" : sql + " IS NOT NULL";
    }

    private String comparable() {
        return text ? sql + " COLLATE \"C\"" : sql;
    }

    // Without coalesce, PostgreSQL can use an index.
    private String total(String condition) {
        return notNull ? condition : "coalesce(" + condition + ", FALSE)";
    }
}
