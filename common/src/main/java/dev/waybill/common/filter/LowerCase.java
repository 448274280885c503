package dev.waybill.common.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Texts that are compared ignoring case in DuckDB. It does not know the letters of the newest Unicode versions, and some
 * collations of PostgreSQL map letters by their context or to several characters, so these letters are not compared.
 */
final class LowerCase {

    // I with a dot, which may become i and a combining dot, this dot, and sigma, which has another lower case at ends of words.
    private static final Set<Integer> DEPENDENT_ON_COLLATION = Set.of(0x130, 0x307, 0x3a3);

    private LowerCase() {
    }

    /** Returns whether PostgreSQL and DuckDB have the same lower case of the character and of its upper case. */
    static boolean isCommon(int character) {
        int upper = Character.toUpperCase(character);
        boolean isRecent = upper == 0x1c89 || upper >= 0xa7c0 && upper <= 0xa7ff
                || upper >= 0x10000 && Character.toLowerCase(upper) != upper;
        return !isRecent && !DEPENDENT_ON_COLLATION.contains(upper);
    }

    /** Returns the parts of a text between characters that are not common. */
    static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        text.codePoints().forEach(character -> {
            if (isCommon(character)) {
                part.appendCodePoint(character);
            } else if (!part.isEmpty()) {
                parts.add(part.toString());
                part.setLength(0);
            }
        });
        if (!part.isEmpty()) {
            parts.add(part.toString());
        }
        return parts;
    }

    /** Returns a pattern in which wildcards replace characters that are not common. */
    static String pattern(String pattern) {
        StringBuilder common = new StringBuilder();
        pattern.codePoints().forEach(character -> {
            if (isCommon(character)) {
                common.appendCodePoint(character);
            } else if (!common.isEmpty() && endsWithEscape(common)) {
                common.setCharAt(common.length() - 1, '%');
            } else {
                common.append('%');
            }
        });
        return common.toString();
    }

    private static boolean endsWithEscape(StringBuilder pattern) {
        int backslashes = 0;
        while (backslashes < pattern.length() && pattern.charAt(pattern.length() - 1 - backslashes) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }
}
