package dev.waybill.export.storage;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;

/**
 * The buffers of one upload: the first grows with what is written, so that small objects stay small; full ones are used again.
 */
final class PartBuffers {

    private static final int FIRST = 64 * 1024;

    private final ConcurrentLinkedQueue<byte[]> idle = new ConcurrentLinkedQueue<>();
    private byte[] current = new byte[FIRST];
    private int filled;

    int filled() {
        return filled;
    }

    /** Copies as much as the part of {@code partSize} bytes still holds, and answers how much that was. */
    int fill(byte[] bytes, int offset, int length, int partSize) {
        int taken = Math.min(length, partSize - filled);
        ensure(filled + taken, partSize);
        System.arraycopy(bytes, offset, current, filled, taken);
        filled += taken;
        return taken;
    }

    /** The bytes of the part, whose buffer is the caller's until it is {@linkplain #release given back}. */
    ByteBuffer detach() {
        ByteBuffer part = ByteBuffer.wrap(current, 0, filled);
        byte[] next = idle.poll();
        current = next == null ? new byte[0] : next;
        filled = 0;
        return part;
    }

    void release(@Nullable ByteBuffer part) {
        if (part != null) {
            idle.add(part.array());
        }
    }

    private void ensure(int needed, int partSize) {
        if (needed > current.length) {
            int doubled = Math.max(FIRST, Math.max(needed, current.length * 2));
            current = Arrays.copyOf(current, Math.min(partSize, doubled));
        }
    }
}
