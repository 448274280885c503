package dev.waybill.experiment.json;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Validates UTF-8 (RFC 3629) without decoding: PostgreSQL accepts no other text. */
public final class Utf8 {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long HIGH_BITS = 0x8080808080808080L;

    private static final int BUFFER_SIZE = 64 * 1024;

    private Utf8() {
    }

    /** Returns whether {@code text} is well-formed: no stray or missing continuation bytes, overlong forms or surrogates. */
    public static boolean isWellFormed(Bytes text) {
        byte[] bytes = text.array();
        int end = text.offset() + text.length();
        int position = text.offset();
        while (position < end) {
            if (end - position >= Long.BYTES && ((long) LONGS.get(bytes, position) & HIGH_BITS) == 0) {
                position += Long.BYTES;
            } else if (bytes[position] >= 0) {
                position++;
            } else {
                int width = sequenceLength(bytes, position, end);
                if (width == 0) {
                    return false;
                }
                position += width;
            }
        }
        return true;
    }

    /** Returns whether all text of a stream is well-formed; closes the stream. */
    static boolean isWellFormed(InputStream text) {
        byte[] buffer = new byte[BUFFER_SIZE];
        int carriedOver = 0;
        try (text) {
            for (int count = text.read(buffer, 0, BUFFER_SIZE); count >= 0; count = text.read(buffer, carriedOver,
                    BUFFER_SIZE - carriedOver)) {
                int end = carriedOver + count;
                int complete = end - incompleteAtEnd(buffer, end);
                if (!isWellFormed(new Bytes(buffer, 0, complete))) {
                    return false;
                }
                carriedOver = end - complete;
                System.arraycopy(buffer, complete, buffer, 0, carriedOver);
            }
            return carriedOver == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // Returns the number of bytes at the end that start an incomplete sequence.
    private static int incompleteAtEnd(byte[] bytes, int end) {
        for (int back = 1; back <= Math.min(3, end); back++) {
            int octet = bytes[end - back] & 0xff;
            if (octet >= 0xc0) {
                int width = octet >= 0xf0 ? 4 : octet >= 0xe0 ? 3 : 2;
                return width > back ? back : 0;
            }
            if (octet < 0x80) {
                return 0;
            }
        }
        return 0;
    }

    // Returns the length of the sequence at {@code position}; 0 if it is malformed.
    private static int sequenceLength(byte[] bytes, int position, int end) {
        int lead = bytes[position] & 0xff;
        int width = lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
        if (width == 0 || end - position < width) {
            return 0;
        }
        int second = bytes[position + 1] & 0xff;
        int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        if (second < lowest || second > highest) {
            return 0;
        }
        for (int i = 2; i < width; i++) {
            if ((bytes[position + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return width;
    }
}
