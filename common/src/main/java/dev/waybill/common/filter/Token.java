package dev.waybill.common.filter;

/**
 * A token of a filter.
 *
 * @param text the text of the token; for a string, its decoded content
 * @param index start of the token in chars from 0
 */
record Token(Kind kind, String text, int index) {

    private static final int MAX_SHOWN_LENGTH = 40;

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
        /** A character that is not valid outside of strings. */
        INVALID
    }

    boolean is(Kind other) {
        return kind == other;
    }

    /** Returns whether the token is this word, such as {@code null}. */
    boolean isWord(String word) {
        return kind == Kind.NAME && text.equals(word);
    }

    /** Returns the token for an error message. */
    String description() {
        return switch (kind) {
            case END -> "the end";
            case STRING -> "\"" + shortened() + "\"";
            case NAME, NUMBER, OPENING_PARENTHESIS, CLOSING_PARENTHESIS, OPENING_BRACKET, CLOSING_BRACKET, COMMA, INVALID ->
                shortened();
        };
    }

    private String shortened() {
        if (text.codePointCount(0, text.length()) <= MAX_SHOWN_LENGTH) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, MAX_SHOWN_LENGTH)) + "…";
    }
}
