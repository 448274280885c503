package dev.waybill.controlplane.rollout.log;

/** Texts of commands and applications at the length that is kept of them. */
final class Shortened {

    static final int LONGEST = 4_000;
    private static final String CUT = "\n…\n";

    private Shortened() {
    }

    /** Its beginning. */
    static String line(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    /** What happened, which stands in the first line, and what was said last, which stands at the end. */
    static String reason(String text) {
        if (text.length() <= LONGEST) {
            return text;
        }
        String first = text.lines().findFirst().orElse("");
        String begin = first.substring(0, Math.min(first.length(), LONGEST / 2));
        return begin + CUT + text.substring(text.length() - (LONGEST - begin.length() - CUT.length()));
    }
}
