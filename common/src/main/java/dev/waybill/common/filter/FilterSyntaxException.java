package dev.waybill.common.filter;

/**
 * A text is not a valid filter. The message completes a sentence that starts with the name of the member: as a violation at
 * {@code ["filter"]}, "filter expects ... at character 12, but found ...".
 */
public final class FilterSyntaxException extends RuntimeException {

    /** The violation type in responses. */
    public static final String TYPE = "filter_syntax";

    private final int position;
    private final String expected;

    FilterSyntaxException(int position, String expected, String found) {
        super("expects " + expected + " at character " + position + ", but found " + found, null, false, false);
        this.position = position;
        this.expected = expected;
    }

    /** Returns the position of the first unexpected character, counted from 1. */
    public int position() {
        return position;
    }

    /** Returns a description of the expected text. */
    public String expected() {
        return expected;
    }
}
