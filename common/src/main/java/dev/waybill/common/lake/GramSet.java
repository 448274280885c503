package dev.waybill.common.lake;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;

/**
 * A set of hashes of four consecutive bytes of texts, in which ASCII letters have no case. A text that contains another one,
 * ignoring case, has all of its grams: characters whose lower case differs between databases, white space, quotes and most
 * punctuation belong to no gram.
 */
final class GramSet {

    static final int HASH_BITS = 16;
    static final int MAX_SIZE = 1 << HASH_BITS;
    private static final int LENGTH = 4;
    private static final int MULTIPLIER = 0x9e3779b1;
    private static final byte[] SYMBOLS = symbols();

    private final long[] bits = new long[MAX_SIZE / Long.SIZE];

    private static byte[] symbols() {
        byte[] symbols = new byte[128];
        for (char c = 0; c < symbols.length; c++) {
            if (c >= 'A' && c <= 'Z') {
                symbols[c] = (byte) (c - 'A' + 'a');
            } else if (c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || "_-.@/".indexOf(c) >= 0) {
                symbols[c] = (byte) c;
            }
        }
        return symbols;
    }

    /** Returns the grams that every text has which contains {@code text}, ignoring case. */
    static GramSet ofContained(String text) {
        // Their lower case is ASCII in some databases only.
        byte[] bytes = text.replace('\u0130', ' ').replace('\u212a', ' ').getBytes(StandardCharsets.UTF_8);
        GramSet grams = new GramSet();
        grams.add(bytes, 0, bytes.length);
        return grams;
    }

    /** Adds the grams of a text in UTF-8. */
    void add(byte[] text, int offset, int length) {
        addRange(text, offset, offset + length, false);
    }

    /** Adds the grams of a JSON document in UTF-8, whose escapes are decoded. */
    void addDocument(byte[] json, int offset, int length) {
        if (addRange(json, offset, offset + length, true)) {
            byte[] decoded = JsonEscapes.decode(json, offset, length);
            addRange(decoded, 0, decoded.length, false);
        }
    }

    // Returns whether escapes of a document may hide characters of grams.
    private boolean addRange(byte[] text, int from, int to, boolean isDocument) {
        boolean hidesCharacters = false;
        int gram = 0;
        int length = 0;
        int i = from;
        while (i < to) {
            int b = text[i];
            int symbol = b >= 0 ? SYMBOLS[b] : 0;
            int width = 1;
            if (b < 0) {
                width = width(b & 0xff);
                if (isUncased(b & 0xff) && i + width <= to) {
                    gram = gram << Byte.SIZE | b & 0xff;
                    add(gram, ++length);
                    gram = gram << Byte.SIZE | text[i + 1] & 0xff;
                    add(gram, ++length);
                    symbol = text[i + 2] & 0xff;
                } else {
                    symbol = asciiLowerCase(text, i, to);
                }
            } else if (b == '\\' && isDocument && i + 1 < to) {
                hidesCharacters |= text[i + 1] == 'u' || text[i + 1] == '/';
                width = 2;
            }
            i += width;
            if (symbol == 0) {
                length = 0;
            } else {
                gram = gram << Byte.SIZE | symbol;
                add(gram, ++length);
            }
        }
        return hidesCharacters;
    }

    private void add(int gram, int length) {
        if (length >= LENGTH) {
            int hash = gram * MULTIPLIER >>> Integer.SIZE - HASH_BITS;
            bits[hash >> 6] |= 1L << hash;
        }
    }

    private static int width(int lead) {
        return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    }

    // Three bytes: U+3000 to U+9FFF and U+B000 to U+D7FF, which contain no letters with a case.
    private static boolean isUncased(int lead) {
        return lead >= 0xe3 && lead <= 0xed && lead != 0xea;
    }

    // U+0130 and U+212A are the only other characters whose lower case can be ASCII.
    private static int asciiLowerCase(byte[] text, int i, int to) {
        if (i + 1 < to && text[i] == (byte) 0xc4 && text[i + 1] == (byte) 0xb0) {
            return 'i';
        }
        return i + 2 < to && text[i] == (byte) 0xe2 && text[i + 1] == (byte) 0x84 && text[i + 2] == (byte) 0xaa ? 'k' : 0;
    }

    /** Returns the number of different hashes. */
    int size() {
        int size = 0;
        for (long word : bits) {
            size += Long.bitCount(word);
        }
        return size;
    }

    void clear() {
        Arrays.fill(bits, 0);
    }

    /** Returns the hashes in ascending order. */
    int[] hashes() {
        return BitSet.valueOf(bits).stream().toArray();
    }

    /**
     * Returns the words of a bitmap of {@code size} bits, a power of two and at least 64, in which each hash has a bit modulo
     * its size.
     */
    long[] folded(int size) {
        long[] folded = Arrays.copyOf(bits, size / Long.SIZE);
        for (int i = folded.length; i < bits.length; i++) {
            folded[i & folded.length - 1] |= bits[i];
        }
        return folded;
    }
}
