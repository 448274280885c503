package dev.waybill.export.snippet;

import java.util.Locale;

/** Texts as constants of other languages. Whatever is in a name, it stays one constant on one line. */
final class Literals {

    private Literals() {
    }

    /** Standard SQL: in single quotes, which are doubled within; a backslash is nothing special. */
    static String sql(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** SQL in which a backslash escapes (Hive, BigQuery, Snowflake, ClickHouse). */
    static String escapedSql(String text) {
        return "'" + escaped(text, '\'') + "'";
    }

    /** Python and JavaScript. */
    static String script(String text) {
        return "\"" + escaped(text, '"') + "\"";
    }

    /** Returns a pattern of file names that matches this text alone. */
    static String glob(String text) {
        return text.replaceAll("[\\[*?]", "[$0]");
    }

    /** Within a comment that ends with its line. */
    static String comment(String text) {
        StringBuilder line = new StringBuilder();
        text.chars().map(c -> isLineBreak(c) ? '?' : c).forEach(c -> line.append((char) c));
        return line.toString();
    }

    private static String escaped(String text, char quote) {
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(c -> {
            if (c == quote || c == '\\') {
                escaped.append('\\').append((char) c);
            } else if (isLineBreak(c)) {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                escaped.append((char) c);
            }
        });
        return escaped.toString();
    }

    // JavaScript also ends a line at U+2028 and U+2029.
    private static boolean isLineBreak(int c) {
        return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
    }
}
