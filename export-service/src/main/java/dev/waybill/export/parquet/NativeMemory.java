package dev.waybill.export.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

import org.apache.parquet.bytes.ByteBufferAllocator;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;

/**
 * Allocates page buffers outside the Java heap: the codecs are native and access them in place, and a row group of 64 MiB does
 * not burden the garbage collector. Netty frees a buffer immediately; small ones are reused, because new memory is cleared. A
 * buffer must not be used after its release; {@link #close} releases all of them. For one thread.
 */
final class NativeMemory implements ByteBufferAllocator, AutoCloseable {

    private static final int MIN_BYTES = 4 << 10;
    private static final int MAX_RETAINED_BUFFER_BYTES = 4 << 20;
    private static final long MAX_RETAINED_BYTES = 8L << 20;

    private final ByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
    private final Map<ByteBuffer, ByteBuf> used = new IdentityHashMap<>();
    private final Map<Integer, Deque<ByteBuf>> retained = new HashMap<>();
    private long retainedBytes;

    /** Returns a buffer of {@code size} bytes with any content, whose capacity may be larger than its limit. */
    @Override
    public ByteBuffer allocate(int size) {
        int capacity = roundUp(size);
        Deque<ByteBuf> fitting = retained.get(capacity);
        ByteBuf owner = fitting == null ? null : fitting.poll();
        if (owner == null) {
            owner = allocator.directBuffer(capacity, capacity);
        } else {
            retainedBytes -= capacity;
        }
        ByteBuffer buffer = owner.nioBuffer(0, capacity).limit(size).order(ByteOrder.BIG_ENDIAN);
        used.put(buffer, owner);
        return buffer;
    }

    // Rounds to eighths of a power of two: few different sizes and little waste.
    private static int roundUp(int size) {
        if (size <= MIN_BYTES) {
            return MIN_BYTES;
        }
        long step = Integer.highestOneBit(size) >> 3;
        return (int) Math.min((size + step - 1) / step * step, Integer.MAX_VALUE);
    }

    @Override
    public void release(ByteBuffer buffer) {
        ByteBuf owner = used.remove(buffer);
        if (owner == null) {
            return;
        }
        int capacity = owner.capacity();
        if (capacity <= MAX_RETAINED_BUFFER_BYTES && retainedBytes + capacity <= MAX_RETAINED_BYTES) {
            retained.computeIfAbsent(capacity, ignored -> new ArrayDeque<>()).push(owner);
            retainedBytes += capacity;
        } else {
            owner.release();
        }
    }

    @Override
    public boolean isDirect() {
        return true;
    }

    @Override
    public void close() {
        used.values().forEach(ByteBuf::release);
        used.clear();
        retained.values().forEach(owners -> owners.forEach(ByteBuf::release));
        retained.clear();
    }
}
