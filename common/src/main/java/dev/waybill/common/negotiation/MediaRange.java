package dev.waybill.common.negotiation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

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

    /** Parses the lists of media ranges in {@code Accept} and {@code Content-Type} (RFC 9110, sections 8.3.1 and 12.5.1). */
    static final class MediaRangeParser {

        private static final String TOKEN_SYMBOLS = "!#$%&'*+-.^_`|~";
        private static final String SPACE = " \t";
        // Accepts more than the three digits of the RFC because programs print them, and ".2" because older JDK
        // clients send it.
        private static final Pattern QUALITY = Pattern.compile("0?\\.[0-9]{1,17}|[01]\\.?|0\\.[0-9]{0,17}|1\\.0{0,17}");

        private final String header;
        private int at;

        private MediaRangeParser(String header) {
            this.header = header;
        }

        /**
         * Returns the ranges in order; empty for an empty header.
         *
         * @throws IllegalArgumentException with the position of the malformed character
         */
        static List<MediaRange> parse(String header) {
            MediaRangeParser parser = new MediaRangeParser(header);
            List<MediaRange> ranges = new ArrayList<>();
            parser.skip(SPACE + ",");
            while (!parser.atEnd()) {
                ranges.add(parser.range());
                if (!parser.atEnd() && !parser.take(',')) {
                    throw parser.malformed();
                }
                parser.skip(SPACE + ",");
            }
            return ranges;
        }

        private MediaRange range() {
            String type = token();
            boolean any = type.equals("*");
            String subtype = "*";
            if (take('/')) {
                subtype = token();
            } else if (!any) {
                throw malformed();
            }
            if (any && !subtype.equals("*")) {
                throw malformed();
            }
            double quality = 1;
            skip(SPACE);
            while (take(';')) {
                skip(SPACE);
                if (!atEnd() && ";,".indexOf(header.charAt(at)) < 0) {
                    quality = parameter(quality);
                    skip(SPACE);
                }
            }
            return new MediaRange(type, subtype, quality);
        }

        /** Reads one parameter and returns the weight, which changes only if the parameter is {@code q}. */
        private double parameter(double quality) {
            String name = token();
            if (!take('=')) {
                throw malformed();
            }
            int start = at;
            String value = !atEnd() && header.charAt(at) == '"' ? quoted() : token();
            if (!name.equalsIgnoreCase("q")) {
                return quality;
            }
            if (!QUALITY.matcher(value).matches()) {
                at = start;
                throw malformed();
            }
            return Double.parseDouble(value);
        }

        private String token() {
            int start = at;
            while (!atEnd() && isTokenCharacter(header.charAt(at))) {
                at++;
            }
            if (at == start) {
                throw malformed();
            }
            return header.substring(start, at);
        }

        private String quoted() {
            int start = ++at;
            while (!atEnd() && header.charAt(at) != '"') {
                at += header.charAt(at) == '\\' ? 2 : 1;
            }
            if (atEnd()) {
                throw malformed();
            }
            return header.substring(start, at++);
        }

        private boolean take(char sign) {
            boolean found = !atEnd() && header.charAt(at) == sign;
            at += found ? 1 : 0;
            return found;
        }

        private void skip(String signs) {
            while (!atEnd() && signs.indexOf(header.charAt(at)) >= 0) {
                at++;
            }
        }

        private boolean atEnd() {
            return at >= header.length();
        }

        private static boolean isTokenCharacter(char sign) {
            return sign >= 'a' && sign <= 'z' || sign >= 'A' && sign <= 'Z' || sign >= '0' && sign <= '9'
                    || TOKEN_SYMBOLS.indexOf(sign) >= 0;
        }

        private IllegalArgumentException malformed() {
            return new IllegalArgumentException("malformed at character " + (Math.min(at, header.length()) + 1));
        }
    }
}
