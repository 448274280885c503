package dev.waybill.common.lake;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Decodes escapes in the text of JSON documents. */
final class JsonEscapes {

    private static final int UNICODE_LENGTH = 6;

    private JsonEscapes() {
    }

    /** Returns the text with decoded characters; a space replaces those that no gram contains. */
    static byte[] decode(byte[] json, int offset, int length) {
        byte[] decoded = new byte[length];
        int size = 0;
        int end = offset + length;
        int i = offset;
        while (i < end) {
            if (json[i] != '\\' || i + 1 == end) {
                decoded[size++] = json[i++];
            } else if (json[i + 1] == 'u' && i + UNICODE_LENGTH <= end) {
                // An escape is longer than its character.
                byte[] character = character(json, i + 2);
                System.arraycopy(character, 0, decoded, size, character.length);
                size += character.length;
                i += UNICODE_LENGTH;
            } else {
                decoded[size++] = json[i + 1] == '/' ? (byte) '/' : (byte) ' ';
                i += 2;
            }
        }
        return Arrays.copyOf(decoded, size);
    }

    private static byte[] character(byte[] json, int hex) {
        int value = 0;
        for (int i = hex; i < hex + 4; i++) {
            if (!HexFormat.isHexDigit(json[i])) {
                return new byte[] { ' ' };
            }
            value = value << 4 | HexFormat.fromHexDigit(json[i]);
        }
        return Character.isSurrogate((char) value) ? new byte[] { ' ' }
                : Character.toString((char) value).getBytes(StandardCharsets.UTF_8);
    }
}
