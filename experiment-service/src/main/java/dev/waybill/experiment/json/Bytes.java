package dev.waybill.experiment.json;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;

/** A slice of a byte array, so that parts of a body are read and stored without copying. */
public final class Bytes {

    private final byte[] array;
    private final int offset;
    private final int length;

    public Bytes(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /** Returns the text encoded as UTF-8. */
    public static Bytes of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Bytes(bytes, 0, bytes.length);
    }

    /** Returns the underlying array. */
    public byte[] array() {
        return array;
    }

    /** Returns the position of the slice in the array. */
    public int offset() {
        return offset;
    }

    /** Returns the number of bytes. */
    public int length() {
        return length;
    }

    /** Returns the bytes from {@code from} (inclusive) to {@code to} (exclusive), relative to this slice. */
    public Bytes slice(int from, int to) {
        return new Bytes(array, offset + from, to - from);
    }

    /** Returns a copy surrounded by {@code before} and {@code after}, both ASCII. */
    public Bytes surroundedBy(String before, String after) {
        byte[] result = new byte[before.length() + length + after.length()];
        System.arraycopy(before.getBytes(StandardCharsets.US_ASCII), 0, result, 0, before.length());
        System.arraycopy(array, offset, result, before.length(), length);
        System.arraycopy(after.getBytes(StandardCharsets.US_ASCII), 0, result, before.length() + length, after.length());
        return new Bytes(result, 0, result.length);
    }

    /** Returns a buffer over the same bytes for the database client; not a copy. */
    public Buffer toBuffer() {
        return Buffer.buffer(Unpooled.wrappedBuffer(array, offset, length));
    }

    /** Decodes the bytes as UTF-8. */
    @Override
    public String toString() {
        return new String(array, offset, length, StandardCharsets.UTF_8);
    }
}
