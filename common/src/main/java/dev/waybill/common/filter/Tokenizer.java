package dev.waybill.common.filter;

import dev.waybill.common.filter.Token.Kind;

/** Splits a filter into tokens on demand, so that the first error in reading order is reported. */
final class Tokenizer {

    private static final int REPLACEMENT = 0xfffd;
    private static final String ESCAPES = "one of \\\\ \\\" \\' \\/ \\b \\f \\n \\r \\t \\uXXXX \\% \\_";

    private final String text;
    private int at;

    Tokenizer(String text) {
        this.text = text;
    }

    Token next() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            return new Token(Kind.END, "", at);
        }
        char first = text.charAt(at);
        return switch (first) {
            case '(' -> symbol(Kind.OPENING_PARENTHESIS);
            case ')' -> symbol(Kind.CLOSING_PARENTHESIS);
            case '[' -> symbol(Kind.OPENING_BRACKET);
            case ']' -> symbol(Kind.CLOSING_BRACKET);
            case ',' -> symbol(Kind.COMMA);
            case '"', '\'' -> string(first);
            default -> wordOrNumber(first);
        };
    }

    FilterSyntaxException error(int index, String expected, String found) {
        return new FilterSyntaxException(text.codePointCount(0, index) + 1, expected, found);
    }

    private Token symbol(Kind kind) {
        at++;
        return new Token(kind, text.substring(at - 1, at), at - 1);
    }

    private Token wordOrNumber(char first) {
        int from = at;
        if (isDigit(first) || first == '-' && at + 1 < text.length() && isDigit(text.charAt(at + 1))) {
            number();
            return new Token(Kind.NUMBER, text.substring(from, at), from);
        }
        if (isLetter(first)) {
            while (at < text.length() && (isLetter(text.charAt(at)) || isDigit(text.charAt(at)))) {
                at++;
            }
            return new Token(Kind.NAME, text.substring(from, at), from);
        }
        at += Character.charCount(text.codePointAt(at));
        return new Token(Kind.INVALID, storable(text.substring(from, at)), from);
    }

    private void number() {
        at++;
        digits();
        if (digitFollows(at + 1) && text.charAt(at) == '.') {
            at++;
            digits();
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            int sign = at + 1 < text.length() && "+-".indexOf(text.charAt(at + 1)) >= 0 ? 1 : 0;
            if (digitFollows(at + 1 + sign)) {
                at += 1 + sign;
                digits();
            }
        }
    }

    private void digits() {
        while (digitFollows(at)) {
            at++;
        }
    }

    private boolean digitFollows(int index) {
        return index < text.length() && isDigit(text.charAt(index));
    }

    private Token string(char quote) {
        int from = at++;
        StringBuilder decoded = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == quote) {
                at++;
                return new Token(Kind.STRING, storable(decoded.toString()), from);
            }
            if (c == '\\') {
                escape(decoded);
            } else {
                decoded.append(c);
                at++;
            }
        }
        throw error(at, "the quote that closes the string", "the end");
    }

    private void escape(StringBuilder decoded) {
        if (at + 1 == text.length()) {
            throw error(at + 1, ESCAPES, "the end");
        }
        char escaped = text.charAt(at + 1);
        switch (escaped) {
            case '\\', '"', '\'', '/' -> decoded.append(escaped);
            // These are escapes of patterns and remain two characters, so that a pattern reads the same with one backslash.
            case '%', '_' -> decoded.append('\\').append(escaped);
            case 'b' -> decoded.append('\b');
            case 'f' -> decoded.append('\f');
            case 'n' -> decoded.append('\n');
            case 'r' -> decoded.append('\r');
            case 't' -> decoded.append('\t');
            case 'u' -> {
                decoded.append(unicode());
                at += 4;
            }
            default -> throw error(at, ESCAPES, storable(text.substring(at, text.offsetByCodePoints(at, 2))));
        }
        at += 2;
    }

    private char unicode() {
        int value = 0;
        for (int i = at + 2; i < at + 6; i++) {
            int digit = i < text.length() && text.charAt(i) < 128 ? Character.digit(text.charAt(i), 16) : -1;
            if (digit < 0) {
                throw error(Math.min(i, text.length()), "four hexadecimal digits after \\u",
                        i < text.length() ? storable(text.substring(i, text.offsetByCodePoints(i, 1))) : "the end");
            }
            value = value * 16 + digit;
        }
        return (char) value;
    }

    // PostgreSQL cannot store these characters in text; stored runs contain U+FFFD as well.
    static String storable(String text) {
        return text.codePoints()
                .map(c -> c == 0 || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? REPLACEMENT : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
    }
}
