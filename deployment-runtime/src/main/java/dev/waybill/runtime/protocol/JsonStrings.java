package dev.waybill.runtime.protocol;

import java.util.Arrays;

/** Decodes strings of valid JSON in UTF-8, without a Java string. */
final class JsonStrings {

    private static final int ESCAPE_LENGTH = 6;
    private static final int HEX = 16;

    private JsonStrings() {
    }

    /**
     * Returns the string whose first byte, after the quotation mark, is at the position. Lone surrogates become question marks.
     */
    static byte[] utf8(byte[] json, int start) {
        int end = start;
        int escapes = 0;
        while (json[end] != '"') {
            boolean escaped = json[end] == '\\';
            escapes += escaped ? 1 : 0;
            end += escaped ? 2 : 1;
        }
        if (escapes == 0) {
            return Arrays.copyOfRange(json, start, end);
        }
        byte[] text = new byte[end - start - escapes];
        int length = 0;
        int from = start;
        while (from < end) {
            int to = from;
            while (to < end && json[to] != '\\') {
                to++;
            }
            System.arraycopy(json, from, text, length, to - from);
            length += to - from;
            from = to;
            if (to < end && json[to + 1] == 'u') {
                int character = character(json, to);
                length = append(text, length, character);
                from += Character.isSupplementaryCodePoint(character) ? ESCAPE_LENGTH * 2 : ESCAPE_LENGTH;
            } else if (to < end) {
                text[length++] = unescaped(json[to + 1]);
                from += 2;
            }
        }
        return length == text.length ? text : Arrays.copyOf(text, length);
    }

    private static byte unescaped(byte letter) {
        return switch (letter) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> letter;
        };
    }

    /** Returns the character of the escape at the position, which may be a pair of two escapes. */
    private static int character(byte[] json, int at) {
        char first = unit(json, at);
        if (Character.isHighSurrogate(first) && json[at + ESCAPE_LENGTH] == '\\' && json[at + ESCAPE_LENGTH + 1] == 'u') {
            char second = unit(json, at + ESCAPE_LENGTH);
            if (Character.isLowSurrogate(second)) {
                return Character.toCodePoint(first, second);
            }
        }
        return Character.isSurrogate(first) ? '?' : first;
    }

    private static char unit(byte[] json, int at) {
        int unit = 0;
        for (int i = at + 2; i < at + ESCAPE_LENGTH; i++) {
            unit = unit * HEX + Character.digit(json[i], HEX);
        }
        return (char) unit;
    }

    /** Appends the character in UTF-8, which is never longer than its escape. */
    private static int append(byte[] text, int length, int character) {
        int at = length;
        if (character < 0x80) {
            text[at++] = (byte) character;
        } else if (character < 0x800) {
            text[at++] = (byte) (0xc0 | character >> 6);
            text[at++] = continuation(character);
        } else if (character < 0x10000) {
            text[at++] = (byte) (0xe0 | character >> 12);
            text[at++] = continuation(character >> 6);
            text[at++] = continuation(character);
        } else {
            text[at++] = (byte) (0xf0 | character >> 18);
            text[at++] = continuation(character >> 12);
            text[at++] = continuation(character >> 6);
            text[at++] = continuation(character);
        }
        return at;
    }

    private static byte continuation(int bits) {
        return (byte) (0x80 | bits & 0x3f);
    }
}
