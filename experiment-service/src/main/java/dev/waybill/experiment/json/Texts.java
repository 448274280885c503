package dev.waybill.experiment.json;

import java.util.Optional;
import java.util.UUID;

/** Converts texts of requests. */
public final class Texts {

    private Texts() {
    }

    /**
     * Replaces U+0000, which PostgreSQL's text type cannot store, and unpaired surrogates with U+FFFD. JSON members are
     * not affected: they are stored with their escapes.
     */
    public static String storable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || Character.isSurrogate(c)) {
                return replaceInvalid(text);
            }
        }
        return text;
    }

    private static String replaceInvalid(String text) {
        StringBuilder valid = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c == 0 || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xfffd : c)
                .forEach(valid::appendCodePoint);
        return valid.toString();
    }

    /**
     * Parses an id in the formats of tracing clients: a UUID with dashes, or 32 hexadecimal digits. Returns empty if the
     * text is malformed.
     */
    public static Optional<UUID> parseId(String text) {
        int dashed = text.length() == 36 ? 1 : 0;
        if (dashed == 0 && text.length() != 32) {
            return Optional.empty();
        }
        long high = 0;
        long low = 0;
        int digits = 0;
        for (int i = 0; i < text.length(); i++) {
            boolean atDash = dashed == 1 && (i == 8 || i == 13 || i == 18 || i == 23);
            int digit = atDash ? 0 : hexDigit(text.charAt(i));
            if (digit < 0 || atDash && text.charAt(i) != '-') {
                return Optional.empty();
            }
            if (!atDash) {
                high = digits < 16 ? high << 4 | digit : high;
                low = digits < 16 ? low : low << 4 | digit;
                digits++;
            }
        }
        return Optional.of(new UUID(high, low));
    }

    private static int hexDigit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        char lower = (char) (c | 0x20);
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }
}
