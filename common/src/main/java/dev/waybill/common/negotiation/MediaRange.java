package dev.waybill.common.negotiation;

import java.util.Locale;

/**
 * A media type or range from a header, without parameters other than the weight.
 *
 * @param type in lower case; {@code *} for any
 * @param subtype in lower case; {@code *} for any
 * @param quality the weight, from 0 (not acceptable) to 1
 */
record MediaRange(String type, String subtype, double quality) {

    MediaRange {
        type = type.toLowerCase(Locale.ROOT);
        subtype = subtype.toLowerCase(Locale.ROOT);
    }

    boolean isWildcard() {
        return subtype.equals("*");
    }

    /**
     * Returns how specifically the range matches the media type: 0 for {@code *}{@code /*}, 1 for {@code type/*}, 2 for the
     * exact type, -1 for no match.
     */
    int specificity(String otherType, String otherSubtype) {
        if (type.equals("*")) {
            return 0;
        }
        if (!type.equals(otherType)) {
            return -1;
        }
        if (isWildcard()) {
            return 1;
        }
        return subtype.equals(otherSubtype) ? 2 : -1;
    }

    @Override
    public String toString() {
        return type + "/" + subtype;
    }
}
