package dev.waybill.common.filter;

/** How a statement refers to a value that is handed to PostgreSQL beside its text. */
@FunctionalInterface
public interface PlaceholderStyle {

    /**
     * The expression that stands for a value.
     *
     * @param index the value's place among the filter's values, from 0
     * @param type the value's type in PostgreSQL
     */
    String placeholder(int index, String type);

    /** Bind parameters of the reactive client: {@code $first} and on, each with its type. */
    static PlaceholderStyle numbered(int first) {
        return (index, type) -> "$" + (first + index) + "::" + type;
    }

    /**
     * Settings of the transaction, for {@code COPY}, which takes no bind parameters: {@link FilterSql#settings()} are to be set
     * before. Each is read once a statement and not once a row, which is why it stands in a sub-select.
     */
    static PlaceholderStyle settings() {
        return (index, type) -> "(SELECT current_setting('" + settingName(index) + "')::" + type + ")";
    }

    /** The setting that holds the value of that index. */
    static String settingName(int index) {
        return "waybill.filter_" + (index + 1);
    }
}
