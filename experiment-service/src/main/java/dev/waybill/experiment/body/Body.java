package dev.waybill.experiment.body;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.json.Bytes;
import io.vertx.core.buffer.Buffer;

/**
 * A request body in memory; {@link #release} it after use. While it is read it grows up to a limit and reserves memory from
 * the request's permit before. When a client disconnects, another thread than the decompressing one releases it; later
 * appends fail without reserving memory.
 */
public final class Body {

    private static final int INITIAL_CAPACITY = 64 * 1024;

    private final AdmissionControl.Permit permit;
    private final @Nullable String contentType;
    private final int limit;
    private final Supplier<ProblemException> tooLarge;
    private byte[] array = new byte[0];
    private int length;
    private boolean released;

    /** @param tooLarge creates the exception for more than {@code limit} bytes */
    Body(AdmissionControl.Permit permit, @Nullable String contentType, int limit, Supplier<ProblemException> tooLarge) {
        this.permit = permit;
        this.contentType = contentType;
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

    /** Returns the content without copying it; valid until the body is released. */
    public synchronized Bytes content() {
        return new Bytes(array, 0, length);
    }

    /** Returns the value of the header Content-Type. */
    public Optional<String> contentType() {
        return Optional.ofNullable(contentType);
    }

    /** Releases the memory and the request's permit. */
    public void release() {
        releaseMemory();
        permit.close();
    }

    /** Releases the memory; idempotent. */
    synchronized void releaseMemory() {
        released = true;
        permit.release(array.length);
        array = new byte[0];
        length = 0;
    }
}
