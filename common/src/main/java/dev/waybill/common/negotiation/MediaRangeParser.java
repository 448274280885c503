package dev.waybill.common.negotiation;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Parses the lists of media ranges in {@code Accept} and {@code Content-Type} (RFC 9110, sections 8.3.1 and 12.5.1). */
final class MediaRangeParser {

    private static final String TOKEN_SIGNS = "!#$%&'*+-.^_`|~";
    private static final String SPACE = " \t";
    // Longer fractions than the three digits of the RFC are what programs print; ".2" is what the JDK's old client sends.
    private static final Pattern QUALITY = Pattern.compile("0?\\.[0-9]{1,17}|[01]\\.?|0\\.[0-9]{0,17}|1\\.0{0,17}");

    private final String header;
    private int at;

    private MediaRangeParser(String header) {
        this.header = header;
    }

    /**
     * Returns the ranges in their order; empty for a header without any.
     *
     * @throws IllegalArgumentException saying at which character the header is malformed
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

    /** Reads one parameter and returns the weight, which is the same unless the parameter is {@code q}. */
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
        while (!atEnd() && isTokenSign(header.charAt(at))) {
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
        boolean there = !atEnd() && header.charAt(at) == sign;
        at += there ? 1 : 0;
        return there;
    }

    private void skip(String signs) {
        while (!atEnd() && signs.indexOf(header.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean atEnd() {
        return at >= header.length();
    }

    private static boolean isTokenSign(char sign) {
        return sign >= 'a' && sign <= 'z' || sign >= 'A' && sign <= 'Z' || sign >= '0' && sign <= '9'
                || TOKEN_SIGNS.indexOf(sign) >= 0;
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("malformed at character " + (Math.min(at, header.length()) + 1));
    }
}
