package dev.waybill.common.filter;

/** Defines how a statement refers to a value that is passed separately from its text. */
@FunctionalInterface
public interface PlaceholderStyle {

    /**
     * Returns the expression for a value.
     *
     * @param index index of the value among the filter's values, from 0
     * @param type PostgreSQL type of the value
     */
    String placeholder(int index, String type);

    /** Returns bind parameters of the reactive client: {@code $first} and following, each with its type. */
    static PlaceholderStyle numbered(int first) {
        return (index, type) -> "$" + (first + index) + "::" + type;
    }

    /**
     * Returns settings of the transaction, for {@code COPY}, which supports no bind parameters: {@link FilterSql#settings()}
     * must be set before. The sub-select makes PostgreSQL read each setting once per statement instead of once per row.
     */
    static PlaceholderStyle settings() {
        return (index, type) -> "(SELECT current_setting('" + settingName(index) + "')::" + type + ")";
    }

    /** Returns the name of the setting with the value of that index. */
    static String settingName(int index) {
        return "waybill.filter_" + (index + 1);
    }
}
