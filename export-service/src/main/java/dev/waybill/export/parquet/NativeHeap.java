package dev.waybill.export.parquet;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The C library's heap, taught to give memory back (docs/decisions/0020). As it comes, glibc keeps what was freed in arenas of
 * 64 MiB, one for each of many threads, and moves ever larger blocks there: after two large exports 300 MiB that nobody
 * uses. Here large blocks come from the system and go back to it at once, and there are two arenas.
 * <p>
 * Memory holds whatever was there before, and its pages come into being only when they are written, so room that is never
 * filled
 * costs nothing. Where the C library cannot be called, Java's own memory has to do.
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

    /** The process's heap, set up at the first call. */
    static NativeHeap shared() {
        return Holder.SHARED;
    }

    /** Memory that lives as long as the arena, and that nobody has cleared. */
    MemorySegment allocate(Arena arena, long bytes) {
        if (malloc == null) {
            return arena.allocate(bytes);
        }
        MemorySegment block = call(malloc, bytes);
        if (block.address() == 0) {
            throw new OutOfMemoryError("the system has no " + bytes + " bytes left");
        }
        return block.reinterpret(bytes, arena, this::release);
    }

    /**
     * Gives back what small blocks of this process, the JVM's own among them, left free. It walks all of them, so that calls
     * that follow soon do nothing.
     */
    void trim() {
        long now = System.nanoTime();
        long last = trimmed.get();
        if (trim == null || now - last < TRIM_PAUSE_NANOS || !trimmed.compareAndSet(last, now)) {
            return;
        }
        try {
            int given = (int) trim.invokeExact(0L);
            LOG.tracef("malloc_trim: %d", given);
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

    private static NativeHeap open() {
        try {
            Linker linker = Linker.nativeLinker();
            MethodHandle malloc = function(linker, "malloc", FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
            MethodHandle free = function(linker, "free", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
            // Other C libraries than glibc have neither these functions nor its habits.
            if (linker.defaultLookup().find("mallopt").isEmpty()) {
                return new NativeHeap(malloc, free, null);
            }
            setUp(function(linker, "mallopt", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT)));
            NativeHeap heap = new NativeHeap(malloc, free, function(linker, "malloc_trim",
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG)));
            heap.trim();
            return heap;
        } catch (RuntimeException | Error e) {
            // A native image without foreign functions throws an error of its own.
            LOG.debug("the C library cannot be called; freed memory may stay with this process", e);
            return new NativeHeap(null, null, null);
        }
    }

    private static void setUp(MethodHandle mallopt) {
        try {
            int large = (int) mallopt.invokeExact(MMAP_THRESHOLD, LARGE);
            int arenas = (int) mallopt.invokeExact(ARENA_MAX, ARENAS);
            LOG.debugf("mallopt: %d %d", large, arenas);
        } catch (Throwable e) {
            throw new IllegalStateException("mallopt", e);
        }
    }

    private static MethodHandle function(Linker linker, String name, FunctionDescriptor descriptor) {
        return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), descriptor);
    }

    /** Makes it when it is first needed: a native image must not keep the builder's handles. */
    private static final class Holder {

        private static final NativeHeap SHARED = open();

        private Holder() {
        }
    }
}
