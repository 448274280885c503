package dev.waybill.export.parquet;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

import org.apache.parquet.bytes.ByteBufferAllocator;

/**
 * Allocates page buffers outside the Java heap: the codecs are native and access them in place, and a row group of 64 MiB does
 * not burden the garbage collector. Released buffers are reused, because the system clears new memory. {@link #close} frees
 * everything. Without the C library's heap, the garbage collector frees the buffers. For one thread.
 */
final class NativeMemory implements ByteBufferAllocator, AutoCloseable {

    private static final int MIN_BYTES = 4 << 10;
    private static final int MAX_RETAINED_BUFFER_BYTES = 4 << 20;
    private static final long MAX_RETAINED_BYTES = 8L << 20;

    private final NativeHeap heap;
    private final Map<ByteBuffer, Arena> arenas = new IdentityHashMap<>();
    private final Map<Integer, Deque<ByteBuffer>> retained = new HashMap<>();
    private long retainedBytes;

    NativeMemory() {
        this(NativeHeap.shared());
    }

    NativeMemory(NativeHeap heap) {
        this.heap = heap;
    }

    /** Returns a buffer of {@code size} bytes, whose capacity may be larger than its limit. */
    @Override
    public ByteBuffer allocate(int size) {
        int capacity = roundUp(size);
        Deque<ByteBuffer> fitting = retained.get(capacity);
        ByteBuffer buffer = fitting == null ? null : fitting.poll();
        if (buffer == null) {
            buffer = heap.isAvailable() ? allocateFromHeap(capacity) : ByteBuffer.allocateDirect(capacity);
        } else {
            retainedBytes -= capacity;
        }
        return buffer.clear().limit(size).order(ByteOrder.BIG_ENDIAN);
    }

    private ByteBuffer allocateFromHeap(int capacity) {
        Arena arena = Arena.ofConfined();
        ByteBuffer buffer = heap.allocate(arena, capacity).asByteBuffer();
        arenas.put(buffer, arena);
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
        int capacity = buffer.capacity();
        if (capacity <= MAX_RETAINED_BUFFER_BYTES && retainedBytes + capacity <= MAX_RETAINED_BYTES) {
            retained.computeIfAbsent(capacity, ignored -> new ArrayDeque<>()).push(buffer);
            retainedBytes += capacity;
        } else {
            Arena arena = arenas.remove(buffer);
            if (arena != null) {
                arena.close();
            }
        }
    }

    @Override
    public boolean isDirect() {
        return true;
    }

    @Override
    public void close() {
        arenas.values().forEach(Arena::close);
        arenas.clear();
        retained.clear();
        heap.trim();
    }
}
