package dev.waybill.experiment.body;

import java.util.Arrays;
import java.util.function.Supplier;

import dev.waybill.common.problem.ProblemException;
import io.vertx.core.buffer.Buffer;

/**
 * A growing buffer with a size limit that reserves memory from the request's permit before it grows. When a client
 * disconnects, another thread than the decompressing one releases it; later appends fail without reserving memory.
 */
final class BodyBuffer {

    private static final int INITIAL_CAPACITY = 64 * 1024;

    private final AdmissionControl.Permit permit;
    private final int limit;
    private final Supplier<ProblemException> tooLarge;
    private byte[] array = new byte[0];
    private int length;
    private boolean released;

    /** @param tooLarge creates the exception for more than {@code limit} bytes */
    BodyBuffer(AdmissionControl.Permit permit, int limit, Supplier<ProblemException> tooLarge) {
        this.permit = permit;
        this.limit = limit;
        this.tooLarge = tooLarge;
    }

    synchronized void append(Buffer chunk) {
        ensureCapacity(chunk.length());
        chunk.getBytes(array, length);
        length += chunk.length();
    }

    synchronized void append(byte[] chunk, int count) {
        ensureCapacity(count);
        System.arraycopy(chunk, 0, array, length, count);
        length += count;
    }

    private void ensureCapacity(int additional) {
        if (released) {
            throw new IllegalStateException("the body was released");
        }
        long needed = (long) length + additional;
        if (needed > limit) {
            throw tooLarge.get();
        }
        if (needed > array.length) {
            long doubled = Math.max(2L * array.length, INITIAL_CAPACITY);
            int capacity = (int) Math.min(Math.max(doubled, needed), limit);
            permit.reserve(capacity - array.length);
            array = Arrays.copyOf(array, capacity);
        }
    }

    synchronized byte[] array() {
        return array;
    }

    synchronized int length() {
        return length;
    }

    /** Releases the memory; idempotent. */
    synchronized void release() {
        released = true;
        permit.release(array.length);
        array = new byte[0];
        length = 0;
    }
}
