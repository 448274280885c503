package dev.waybill.experiment.run;

import java.util.Optional;
import java.util.UUID;

/** Parses ids in the formats of tracing clients: UUIDs with dashes, or 32 hexadecimal digits. */
public final class RunIds {

    private RunIds() {
    }

    /** Parses an id; returns empty if the text is malformed. */
    public static Optional<UUID> parse(String text) {
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
