package dev.waybill.export.parquet;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

import org.apache.parquet.bytes.ByteBufferAllocator;

/**
 * Pages outside the Java heap: the codecs are native and read and write them in place, and a row group of 64 MiB does
 * not pass through the garbage collector. What one row group gives back serves the next, since memory fresh from the
 * system is cleared twice; everything is freed when the writer is done, not when a collector finds it. For one thread.
 */
final class NativeMemory implements ByteBufferAllocator, AutoCloseable {

    private static final int SMALLEST = 4 << 10;
    private static final int LARGEST_KEPT = 4 << 20;
    private static final long MOST_KEPT = 8L << 20;

    private final NativeHeap heap = NativeHeap.shared();
    private final Map<ByteBuffer, Arena> arenas = new IdentityHashMap<>();
    private final Map<Integer, Deque<ByteBuffer>> kept = new HashMap<>();
    private long keptBytes;

    /** A buffer of {@code size} bytes; it may have room for more than its limit. */
    @Override
    public ByteBuffer allocate(int size) {
        int capacity = roundUp(size);
        Deque<ByteBuffer> fitting = kept.get(capacity);
        ByteBuffer buffer = fitting == null ? null : fitting.poll();
        if (buffer == null) {
            Arena arena = Arena.ofConfined();
            buffer = heap.allocate(arena, capacity).asByteBuffer();
            arenas.put(buffer, arena);
        } else {
            keptBytes -= capacity;
        }
        return buffer.clear().limit(size);
    }

    // To eighths of a power of two: few different sizes, and little lost.
    private static int roundUp(int size) {
        if (size <= SMALLEST) {
            return SMALLEST;
        }
        long step = Integer.highestOneBit(size) >> 3;
        return (int) Math.min((size + step - 1) / step * step, Integer.MAX_VALUE);
    }

    @Override
    public void release(ByteBuffer buffer) {
        int capacity = buffer.capacity();
        if (capacity <= LARGEST_KEPT && keptBytes + capacity <= MOST_KEPT) {
            kept.computeIfAbsent(capacity, ignored -> new ArrayDeque<>()).push(buffer);
            keptBytes += capacity;
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
        kept.clear();
        heap.trim();
    }
}
