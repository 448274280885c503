package dev.waybill.common.filter;

/**
 * SQL over JSON that is stored as the text that came in. It is well-formed, but not all of it is to PostgreSQL's taste:
 * <ul>
 * <li>{@code \u0000} and halves of surrogate pairs are escapes that no text of PostgreSQL can show: they read as U+FFFD, as in
 * the columns that are text themselves;</li>
 * <li>numbers may have any size, and {@code jsonb} would write them all out: therefore {@code json}, which keeps them as they
 * are
 * written.</li>
 * </ul>
 */
public final class StoredJson {

    private static final String HALF_BEFORE = "\\\\u[dD][89abAB][0-9a-fA-F]{2}";
    private static final String HALF_AFTER = "\\\\u[dD][c-fC-F][0-9a-fA-F]{2}";

    private StoredJson() {
    }

    /** The document in {@code column} as {@code json} whose every text can be read; null where there is none. */
    public static String document(String column) {
        return "(CASE WHEN " + needsMending(column) + " THEN " + escapedBackslashesBack(mended(column))
                + " ELSE " + column + " END)::json";
    }

    /**
     * What there is to search in the document in {@code column}: its text with escapes read and the quotes around strings gone.
     * To
     * read the escapes everywhere at once, the whole of it is made one JSON string.
     */
    static String searchable(String column) {
        String escapesOnly = "CASE WHEN " + needsMending(column) + " THEN " + mended(column)
                + " ELSE " + escapedBackslashesAside(column) + " END";
        String escapedQuotesAside = "replace(" + escapesOnly + ", '\\\"', chr(2))";
        String quotesGone = "translate(" + escapedQuotesAside + ", '\"' || chr(9) || chr(10) || chr(13), '    ')";
        String inside = escapedBackslashesBack("replace(" + quotesGone + ", chr(2), '\\\"')");
        return "CASE WHEN strpos(" + column + ", '\\') = 0 THEN translate(" + column + ", '\"', ' ')"
                + " ELSE ('\"' || " + inside + " || '\"')::json #>> '{}' END";
    }

    // Hardly any document does, and looking is far cheaper than mending.
    private static String needsMending(String column) {
        return "strpos(" + column + ", '\\u0000') + strpos(" + column + ", '\\ud') + strpos(" + column + ", '\\uD') > 0";
    }

    private static String mended(String column) {
        String withoutNull = "replace(" + escapedBackslashesAside(column) + ", '\\u0000', '\\ufffd')";
        String withoutLoneBefore = "regexp_replace(" + withoutNull + ", '" + HALF_BEFORE + "(?!" + HALF_AFTER
                + ")', '\\ufffd', 'g')";
        return "regexp_replace(" + withoutLoneBefore + ", '(?<!" + HALF_BEFORE + ")" + HALF_AFTER + "', '\\ufffd', 'g')";
    }

    // Then every backslash that is left begins an escape. JSON has no raw control characters that could be mistaken.
    private static String escapedBackslashesAside(String column) {
        return "replace(" + column + ", '\\\\', chr(1))";
    }

    private static String escapedBackslashesBack(String text) {
        return "replace(" + text + ", chr(1), '\\\\')";
    }
}
