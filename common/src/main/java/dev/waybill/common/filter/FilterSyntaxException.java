package dev.waybill.common.filter;

/**
 * A text is no filter. The message is fit for the user's eyes and reads on from the member's name: as a violation at
 * {@code ["filter"]} it says "filter expects ... at character 12, but found ...".
 */
public final class FilterSyntaxException extends RuntimeException {

    /** The violation's type on the wire. */
    public static final String TYPE = "filter_syntax";

    private final int position;
    private final String expected;

    FilterSyntaxException(int position, String expected, String found) {
        super("expects " + expected + " at character " + position + ", but found " + found, null, false, false);
        this.position = position;
        this.expected = expected;
    }

    /** Where it stopped making sense: the character's number, counted from 1. */
    public int position() {
        return position;
    }

    /** What could have stood there, in words. */
    public String expected() {
        return expected;
    }
}
