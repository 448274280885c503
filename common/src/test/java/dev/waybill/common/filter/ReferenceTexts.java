package dev.waybill.common.filter;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** A simple reference implementation of the text functions of the filter language. */
final class ReferenceTexts {

    private static final Map<Character, Character> ESCAPES = Map.of('b', '\b', 'f', '\f', 'n', '\n', 'r', '\r', 't', '\t');

    private ReferenceTexts() {
    }

    /** Replaces NUL and lone surrogates by U+FFFD. */
    static String replaceInvalid(String text) {
        StringBuilder replaceInvalid = new StringBuilder();
        text.codePoints().forEach(c -> replaceInvalid.appendCodePoint(c == 0 || c >= 0xd800 && c <= 0xdfff ? 0xfffd : c));
        return replaceInvalid.toString();
    }

    static String lower(String text) {
        StringBuilder lower = new StringBuilder();
        text.codePoints().forEach(c -> lower.appendCodePoint(Character.toLowerCase(c)));
        return lower.toString();
    }

    /** Compares by code points. */
    static int compare(String a, String b) {
        return Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    static boolean like(String text, String pattern) {
        int[] characters = text.codePoints().toArray();
        int[] form = pattern.codePoints().toArray();
        boolean[] reached = new boolean[characters.length + 1];
        reached[0] = true;
        for (int f = 0; f < form.length; f++) {
            boolean[] next = new boolean[characters.length + 1];
            boolean any = false;
            if (form[f] == '%') {
                for (int i = 0; i <= characters.length; i++) {
                    any |= reached[i];
                    next[i] = any;
                }
            } else {
                boolean one = form[f] == '_';
                if (form[f] == '\\') {
                    f++;
                }
                for (int i = 0; i < characters.length; i++) {
                    next[i + 1] = reached[i] && (one || characters[i] == form[f]);
                    any |= next[i + 1];
                }
            }
            if (!any) {
                return false;
            }
            reached = next;
        }
        return reached[characters.length];
    }

    /** Returns a JSON document without quotes around strings and with decoded escapes. */
    static String searchable(String json) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c == '"') {
                text.append(' ');
            } else if (c != '\\') {
                text.append(c);
            } else if (json.charAt(++i) == 'u') {
                text.append((char) Integer.parseInt(json.substring(i + 1, i + 5), 16));
                i += 4;
            } else {
                text.append(ESCAPES.getOrDefault(json.charAt(i), json.charAt(i)));
            }
        }
        return replaceInvalid(text.toString());
    }
}
