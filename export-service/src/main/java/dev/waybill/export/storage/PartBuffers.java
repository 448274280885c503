package dev.waybill.export.storage;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;

/**
 * The buffers of one upload. The first grows with the written bytes, so that small objects use little memory; buffers of sent
 * parts are reused.
 */
final class PartBuffers {

    private static final int INITIAL_BYTES = 64 * 1024;

    private final ConcurrentLinkedQueue<byte[]> idle = new ConcurrentLinkedQueue<>();
    private byte[] current = new byte[INITIAL_BYTES];
    private int filled;

    int filled() {
        return filled;
    }

    /** Copies as many bytes as fit into a part of {@code partSize} bytes, and returns their number. */
    int fill(byte[] bytes, int offset, int length, int partSize) {
        int copied = Math.min(length, partSize - filled);
        ensureCapacity(filled + copied, partSize);
        System.arraycopy(bytes, offset, current, filled, copied);
        filled += copied;
        return copied;
    }

    /** Returns the current part; the caller owns its buffer until {@link #release}. */
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

    private void ensureCapacity(int needed, int partSize) {
        if (needed > current.length) {
            int doubled = Math.max(INITIAL_BYTES, Math.max(needed, current.length * 2));
            current = Arrays.copyOf(current, Math.min(partSize, doubled));
        }
    }
}
