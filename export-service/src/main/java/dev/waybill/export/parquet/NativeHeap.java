package dev.waybill.export.parquet;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Allocates from the C library's heap, configured to return freed memory to the system (docs/decisions/0020). By default, glibc
 * retains freed memory in arenas of 64 MiB per thread; here, large blocks are mapped separately, and there are two arenas.
 * <p>
 * Memory is not cleared, and the system assigns pages only when they are written. Without access to the C library,
 * {@link NativeMemory} uses Java's own.
 */
final class NativeHeap {

    private static final Logger LOG = Logger.getLogger(NativeHeap.class);
    // glibc's malloc.h
    private static final int MMAP_THRESHOLD = -3;
    private static final int ARENA_MAX = -8;
    private static final int LARGE = 256 << 10;
    private static final int ARENAS = 2;
    private static final long TRIM_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final @Nullable MethodHandle malloc;
    private final @Nullable MethodHandle free;
    private final @Nullable MethodHandle trim;
    private final AtomicLong trimmed = new AtomicLong(System.nanoTime() - TRIM_PAUSE_NANOS);

    private NativeHeap(@Nullable MethodHandle malloc, @Nullable MethodHandle free, @Nullable MethodHandle trim) {
        this.malloc = malloc;
        this.free = free;
        this.trim = trim;
    }

    /** Returns the process's heap, configured at the first call. */
    static NativeHeap shared() {
        return Holder.SHARED;
    }

    /** Returns whether the C library can be called; some native images have no foreign functions. */
    boolean isAvailable() {
        return malloc != null;
    }

    /** Allocates uncleared memory that is freed with the arena. */
    MemorySegment allocate(Arena arena, long bytes) {
        if (malloc == null) {
            throw new IllegalStateException("the C library cannot be called");
        }
        MemorySegment block = call(malloc, bytes);
        if (block.address() == 0) {
            throw new OutOfMemoryError("the system cannot allocate " + bytes + " bytes");
        }
        return block.reinterpret(bytes, arena, this::release);
    }

    /**
     * Returns the free memory of small blocks of this process, including the JVM's, to the system. It visits all of them, so
     * calls within a few seconds of the last do nothing.
     */
    void trim() {
        long now = System.nanoTime();
        long last = trimmed.get();
        if (trim == null || now - last < TRIM_PAUSE_NANOS || !trimmed.compareAndSet(last, now)) {
            return;
        }
        try {
            int given = (int) trim.invokeExact(0L);
            LOG.tracef("malloc_trim: %s", given);
        } catch (Throwable e) {
            throw new IllegalStateException("malloc_trim", e);
        }
    }

    private static MemorySegment call(MethodHandle malloc, long bytes) {
        try {
            return (MemorySegment) malloc.invokeExact(bytes);
        } catch (Throwable e) {
            throw new IllegalStateException("malloc", e);
        }
    }

    private void release(MemorySegment block) {
        try {
            if (free != null) {
                free.invokeExact(block);
            }
        } catch (Throwable e) {
            throw new IllegalStateException("free", e);
        }
    }

    /** Returns the heap of the C library with these functions; an unavailable one if they cannot be called. */
    static NativeHeap open(SymbolLookup library) {
        try {
            MethodHandle malloc = function(library, "malloc",
                    FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
            MethodHandle free = function(library, "free", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
            // Other C libraries have neither these functions nor this problem.
            if (library.find("mallopt").isEmpty()) {
                return new NativeHeap(malloc, free, null);
            }
            setUp(function(library, "mallopt", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT)));
            NativeHeap heap = new NativeHeap(malloc, free, function(library, "malloc_trim",
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG)));
            heap.trim();
            return heap;
        } catch (RuntimeException | Error e) {
            // A native image without foreign functions throws its own error.
            LOG.debug("the C library cannot be called; this process may retain freed memory", e);
            return new NativeHeap(null, null, null);
        }
    }

    private static void setUp(MethodHandle mallopt) {
        try {
            int large = (int) mallopt.invokeExact(MMAP_THRESHOLD, LARGE);
            int arenas = (int) mallopt.invokeExact(ARENA_MAX, ARENAS);
            LOG.debugf("mallopt: %s %s", large, arenas);
        } catch (Throwable e) {
            throw new IllegalStateException("mallopt", e);
        }
    }

    private static MethodHandle function(SymbolLookup library, String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(library.find(name).orElseThrow(), descriptor);
    }

    /** Creates the heap on first use: a native image must not contain handles of the build process. */
    private static final class Holder {

        private static final NativeHeap SHARED = open(name -> Linker.nativeLinker().defaultLookup().find(name));

        private Holder() {
        }
    }
}
