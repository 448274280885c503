package dev.waybill.common.filter;

/**
 * A piece of a filter's text.
 *
 * @param text as it stands there; of a string what it means
 * @param index where it begins, in chars from 0
 */
record Token(Kind kind, String text, int index) {

    private static final int SHOWN = 40;

    enum Kind {
        NAME,
        STRING,
        NUMBER,
        OPENING_PARENTHESIS,
        CLOSING_PARENTHESIS,
        OPENING_BRACKET,
        CLOSING_BRACKET,
        COMMA,
        END,
        /** A character that no filter has outside of strings. */
        STRANGER
    }

    boolean is(Kind other) {
        return kind == other;
    }

    /** Whether it is this word, such as {@code null}. */
    boolean isWord(String word) {
        return kind == Kind.NAME && text.equals(word);
    }

    /** The token in a message. */
    String shown() {
        return switch (kind) {
            case END -> "the end";
            case STRING -> "\"" + cut() + "\"";
            case NAME, NUMBER, OPENING_PARENTHESIS, CLOSING_PARENTHESIS, OPENING_BRACKET, CLOSING_BRACKET, COMMA, STRANGER ->
                cut();
        };
    }

    private String cut() {
        if (text.codePointCount(0, text.length()) <= SHOWN) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, SHOWN)) + "…";
    }
}
