package dev.waybill.export.snippet;

import java.util.Locale;

/** Formats texts as literals of other languages. Whatever the text contains, the result is one literal on one line. */
final class Literals {

    private Literals() {
    }

    /** Returns a literal of standard SQL: single quotes are doubled, a backslash is an ordinary character. */
    static String sql(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** Returns a literal of an SQL dialect in which a backslash escapes (Hive, BigQuery, Snowflake, ClickHouse). */
    static String escapedSql(String text) {
        return "'" + escaped(text, '\'') + "'";
    }

    /** Returns a literal of Python and JavaScript. */
    static String script(String text) {
        return "\"" + escaped(text, '"') + "\"";
    }

    /** Returns a glob pattern that matches this text only. */
    static String glob(String text) {
        return text.replaceAll("[\\[*?]", "[$0]");
    }

    /** Returns the text without line breaks, for a comment that ends with its line. */
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

    // JavaScript also treats U+2028 and U+2029 as line breaks.
    private static boolean isLineBreak(int c) {
        return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
    }
}
