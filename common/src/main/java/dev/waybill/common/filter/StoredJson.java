package dev.waybill.common.filter;

/**
 * SQL expressions for JSON that is stored as received text. The text is well-formed, but PostgreSQL does not support all of it:
 * <ul>
 * <li>{@code \u0000} and lone surrogates cannot be represented in PostgreSQL's text; they are replaced by U+FFFD, as in text
 * columns;</li>
 * <li>numbers may have any size, and {@code jsonb} would expand all of them; therefore the type is {@code json}, which stores
 * numbers as written.</li>
 * </ul>
 */
public final class StoredJson {

    private static final String HIGH_SURROGATE = "\\\\u[dD][89abAB][0-9a-fA-F]{2}";
    private static final String LOW_SURROGATE = "\\\\u[dD][c-fC-F][0-9a-fA-F]{2}";

    private StoredJson() {
    }

    /** Returns the document in {@code column} as {@code json} whose texts can all be read; null if the column is null. */
    public static String document(String column) {
        return "(CASE WHEN " + hasInvalidEscapes(column) + " THEN " + unmaskBackslashes(replaceInvalidEscapes(column))
                + " ELSE " + column + " END)::json";
    }

    /**
     * Returns the searchable text of the document in {@code column}: escapes decoded and quotes around strings removed. The
     * whole document is converted to one JSON string to decode all escapes together.
     */
    static String searchable(String column) {
        String escapesOnly = "CASE WHEN " + hasInvalidEscapes(column) + " THEN " + replaceInvalidEscapes(column)
                + " ELSE " + maskBackslashes(column) + " END";
        String quotesMasked = "replace(" + escapesOnly + ", '\\\"', chr(2))";
        String quotesRemoved = "translate(" + quotesMasked + ", '\"' || chr(9) || chr(10) || chr(13), '    ')";
        String inside = unmaskBackslashes("replace(" + quotesRemoved + ", chr(2), '\\\"')");
        return "CASE WHEN strpos(" + column + ", '\\') = 0 THEN translate(" + column + ", '\"', ' ')"
                + " ELSE ('\"' || " + inside + " || '\"')::json #>> '{}' END";
    }

    // Few documents contain such escapes, and checking is far cheaper than replacing.
    private static String hasInvalidEscapes(String column) {
        return "strpos(" + column + ", '\\u0000') + strpos(" + column + ", '\\ud') + strpos(" + column + ", '\\uD') > 0";
    }

    private static String replaceInvalidEscapes(String column) {
        String withoutNull = "replace(" + maskBackslashes(column) + ", '\\u0000', '\\ufffd')";
        String withoutLoneHighSurrogates = "regexp_replace(" + withoutNull + ", '" + HIGH_SURROGATE + "(?!" + LOW_SURROGATE
                + ")', '\\ufffd', 'g')";
        return "regexp_replace(" + withoutLoneHighSurrogates + ", '(?<!" + HIGH_SURROGATE + ")" + LOW_SURROGATE
                + "', '\\ufffd', 'g')";
    }

    // After this, every remaining backslash starts an escape. JSON contains no raw control characters, so chr(1) is
    // unambiguous.
    private static String maskBackslashes(String column) {
        return "replace(" + column + ", '\\\\', chr(1))";
    }

    private static String unmaskBackslashes(String text) {
        return "replace(" + text + ", chr(1), '\\\\')";
    }
}
