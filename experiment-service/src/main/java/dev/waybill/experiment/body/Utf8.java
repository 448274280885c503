package dev.waybill.experiment.body;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Tells whether bytes are well-formed UTF-8 (RFC 3629), without decoding them: PostgreSQL takes no other text. */
public final class Utf8 {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long HIGH_BITS = 0x8080808080808080L;

    private static final int WINDOW = 64 * 1024;

    private Utf8() {
    }

    /** Whether {@code text} is well-formed: no stray or missing continuation, nothing overlong, no surrogates. */
    public static boolean isWellFormed(Bytes text) {
        byte[] bytes = text.array();
        int end = text.offset() + text.length();
        int at = text.offset();
        while (at < end) {
            if (end - at >= Long.BYTES && ((long) LONGS.get(bytes, at) & HIGH_BITS) == 0) {
                at += Long.BYTES;
            } else if (bytes[at] >= 0) {
                at++;
            } else {
                int width = sequence(bytes, at, end);
                if (width == 0) {
                    return false;
                }
                at += width;
            }
        }
        return true;
    }

    /** As {@link #isWellFormed(Bytes)}, for a body that is not in memory. */
    static boolean isWellFormed(SpooledBody body) {
        byte[] window = new byte[WINDOW];
        int kept = 0;
        try (InputStream in = body.open()) {
            for (int count = in.read(window, 0, WINDOW); count >= 0; count = in.read(window, kept, WINDOW - kept)) {
                int end = kept + count;
                int whole = end - begunAtTheEnd(window, end);
                if (!isWellFormed(new Bytes(window, 0, whole))) {
                    return false;
                }
                kept = end - whole;
                System.arraycopy(window, whole, window, 0, kept);
            }
            return kept == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // How many of the last bytes begin a sequence that goes on beyond them.
    private static int begunAtTheEnd(byte[] bytes, int end) {
        for (int back = 1; back <= Math.min(3, end); back++) {
            int one = bytes[end - back] & 0xff;
            if (one >= 0xc0) {
                int width = one >= 0xf0 ? 4 : one >= 0xe0 ? 3 : 2;
                return width > back ? back : 0;
            }
            if (one < 0x80) {
                return 0;
            }
        }
        return 0;
    }

    // How many bytes the sequence has that begins here; 0 when it is none.
    private static int sequence(byte[] bytes, int at, int end) {
        int lead = bytes[at] & 0xff;
        int width = lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
        if (width == 0 || end - at < width) {
            return 0;
        }
        int second = bytes[at + 1] & 0xff;
        int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        if (second < lowest || second > highest) {
            return 0;
        }
        for (int i = 2; i < width; i++) {
            if ((bytes[at + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return width;
    }
}
