package dev.waybill.controlplane.rollout.log;

/** Truncates output of commands and applications to the stored length. */
final class TextTruncation {

    static final int MAX_LENGTH = 4_000;
    private static final String ELLIPSIS = "\n…\n";

    private TextTruncation() {
    }

    /** Returns the beginning of the text. */
    static String line(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…";
    }

    /** Returns the first line, which names the cause, and the end, which has the last output. */
    static String reason(String text) {
        if (text.length() <= MAX_LENGTH) {
            return text;
        }
        String first = text.lines().findFirst().orElse("");
        String begin = first.substring(0, Math.min(first.length(), MAX_LENGTH / 2));
        return begin + ELLIPSIS + text.substring(text.length() - (MAX_LENGTH - begin.length() - ELLIPSIS.length()));
    }
}
