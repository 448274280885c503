package dev.waybill.experiment.body;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;

/** A piece of a larger array: the parts of a body are read and stored without copying them. */
public final class Bytes {

    private final byte[] array;
    private final int offset;
    private final int length;

    public Bytes(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /** The bytes of a text in UTF-8. */
    public static Bytes of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Bytes(bytes, 0, bytes.length);
    }

    /** The array that this is a piece of. */
    public byte[] array() {
        return array;
    }

    /** Where the piece begins in the array. */
    public int offset() {
        return offset;
    }

    /** How many bytes it has. */
    public int length() {
        return length;
    }

    /** From {@code from} (included) to {@code to} (excluded), both counted from the beginning of this piece. */
    public Bytes slice(int from, int to) {
        return new Bytes(array, offset + from, to - from);
    }

    /** A copy with something before and after it; both are ASCII. */
    public Bytes within(String before, String after) {
        byte[] whole = new byte[before.length() + length + after.length()];
        System.arraycopy(before.getBytes(StandardCharsets.US_ASCII), 0, whole, 0, before.length());
        System.arraycopy(array, offset, whole, before.length(), length);
        System.arraycopy(after.getBytes(StandardCharsets.US_ASCII), 0, whole, before.length() + length, after.length());
        return new Bytes(whole, 0, whole.length);
    }

    /** The same bytes for the database client; not a copy. */
    public Buffer toBuffer() {
        return Buffer.buffer(Unpooled.wrappedBuffer(array, offset, length));
    }

    /** The text these bytes are in UTF-8. */
    @Override
    public String toString() {
        return new String(array, offset, length, StandardCharsets.UTF_8);
    }
}
