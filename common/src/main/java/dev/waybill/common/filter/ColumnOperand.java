package dev.waybill.common.filter;

import java.util.List;

import dev.waybill.common.filter.Filter.Comparison;

/**
 * A value that PostgreSQL has as such.
 *
 * @param sql the expression
 * @param text whether it is text, which is compared by code points whatever the database's collation
 * @param always whether it is never null
 */
record ColumnOperand(String sql, boolean text, boolean always, Placeholders placeholders) implements Operand {

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
        // Which letters are the same in another case is the database's to know: "C" knows only those of ASCII.
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
        return always ? "TRUE" : sql + " IS NOT NULL";
    }

    private String comparable() {
        return text ? sql + " COLLATE \"C\"" : sql;
    }

    // Without the wrapping PostgreSQL can use an index.
    private String total(String condition) {
        return always ? condition : "coalesce(" + condition + ", FALSE)";
    }
}
