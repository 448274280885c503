package dev.waybill.runtime.protocol;

/**
 * Finds the end of a JSON value. Accepts only valid JSON in UTF-8 without carriage returns between tokens, but not all of it:
 * for example, deeply nested values are not accepted.
 */
final class JsonScanner {

    private static final int NONE = -1;
    private static final int MAX_DEPTH = 64;
    private static final int MAX_NUMBER_LENGTH = 100;

    private final byte[] bytes;
    private final int end;

    JsonScanner(byte[] bytes, int end) {
        this.bytes = bytes;
        this.end = end;
    }

    /** Returns the end of the value that starts at {@code from}; negative if it is invalid or not accepted. */
    int skipValue(int from) {
        return value(from, 0);
    }

    int skipSpace(int from) {
        int at = from;
        while (at < end && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        return at;
    }

    private int value(int at, int depth) {
        return switch (byteAt(at)) {
            case '"' -> string(at + 1);
            case '{' -> depth == MAX_DEPTH ? NONE : container(at + 1, depth + 1, '}');
            case '[' -> depth == MAX_DEPTH ? NONE : container(at + 1, depth + 1, ']');
            case 't' -> literal(at, "true");
            case 'f' -> literal(at, "false");
            case 'n' -> literal(at, "null");
            default -> number(at);
        };
    }

    private int container(int from, int depth, char closed) {
        int at = skipSpace(from);
        if (byteAt(at) == closed) {
            return at + 1;
        }
        while (at >= 0) {
            if (closed == '}') {
                at = name(at);
            }
            at = at < 0 ? NONE : value(at, depth);
            at = at < 0 ? NONE : skipSpace(at);
            if (byteAt(at) == closed) {
                return at + 1;
            }
            at = byteAt(at) == ',' ? skipSpace(at + 1) : NONE;
        }
        return NONE;
    }

    private int name(int from) {
        int at = byteAt(from) == '"' ? string(from + 1) : NONE;
        at = at < 0 ? NONE : skipSpace(at);
        return byteAt(at) == ':' ? skipSpace(at + 1) : NONE;
    }

    private int string(int from) {
        int at = from;
        while (at >= 0 && at < end) {
            byte b = bytes[at];
            if (b == '"') {
                return at + 1;
            } else if (b == '\\') {
                at = escape(at + 1);
            } else if (b >= ' ') {
                at++;
            } else {
                at = b < 0 ? multiByteCharacter(at) : NONE;
            }
        }
        return NONE;
    }

    private int escape(int at) {
        return switch (byteAt(at)) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 1;
            case 'u' -> isHex(at + 1) && isHex(at + 2) && isHex(at + 3) && isHex(at + 4) ? at + 5 : NONE;
            default -> NONE;
        };
    }

    /** Skips a character of two to four bytes; rejects overlong forms and surrogates. */
    private int multiByteCharacter(int at) {
        int lead = bytes[at] & 0xff;
        int more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        if (lead < 0xc2 || lead > 0xf4 || at + more >= end) {
            return NONE;
        }
        int second = bytes[at + 1] & 0xff;
        boolean valid = switch (lead) {
            case 0xe0 -> second >= 0xa0;
            case 0xed -> second < 0xa0;
            case 0xf0 -> second >= 0x90;
            case 0xf4 -> second < 0x90;
            default -> true;
        };
        for (int i = 1; i <= more; i++) {
            valid &= (bytes[at + i] & 0xc0) == 0x80;
        }
        return valid ? at + more + 1 : NONE;
    }

    private int number(int from) {
        int at = byteAt(from) == '-' ? from + 1 : from;
        int integerStart = at;
        at = digits(at);
        if (at < 0 || (byteAt(integerStart) == '0' && at > integerStart + 1)) {
            return NONE;
        }
        if (byteAt(at) == '.') {
            at = digits(at + 1);
        }
        if (byteAt(at) == 'e' || byteAt(at) == 'E') {
            boolean signed = byteAt(at + 1) == '+' || byteAt(at + 1) == '-';
            at = digits(signed ? at + 2 : at + 1);
        }
        return at - from > MAX_NUMBER_LENGTH ? NONE : at;
    }

    private int digits(int from) {
        int at = from;
        while (byteAt(at) >= '0' && byteAt(at) <= '9') {
            at++;
        }
        return at > from ? at : NONE;
    }

    private int literal(int from, String literal) {
        for (int i = 0; i < literal.length(); i++) {
            if (byteAt(from + i) != literal.charAt(i)) {
                return NONE;
            }
        }
        return from + literal.length();
    }

    private boolean isHex(int at) {
        int b = byteAt(at);
        return b >= 0 && Character.digit((char) b, 16) >= 0;
    }

    /** Returns the byte at the position, or 0, which is not valid in JSON, outside the range. */
    private int byteAt(int at) {
        return at >= 0 && at < end ? bytes[at] : 0;
    }
}
