package dev.waybill.experiment.body;

import java.util.Arrays;
import java.util.function.Supplier;

import dev.waybill.common.problem.ProblemException;
import io.vertx.core.buffer.Buffer;

/**
 * Bytes that come in pieces, up to a limit; every byte of capacity is reserved first. Given back by another thread than the one
 * that unpacks into it, when a client goes away meanwhile: what still comes then takes nothing.
 */
final class BodyBuffer {

    private static final int FIRST_CAPACITY = 64 * 1024;

    private final AdmissionControl.Admitted admitted;
    private final int limit;
    private final Supplier<ProblemException> tooLarge;
    private byte[] bytes = new byte[0];
    private int length;
    private boolean released;

    /** @param tooLarge what is thrown when more than {@code limit} bytes come */
    BodyBuffer(AdmissionControl.Admitted admitted, int limit, Supplier<ProblemException> tooLarge) {
        this.admitted = admitted;
        this.limit = limit;
        this.tooLarge = tooLarge;
    }

    synchronized void append(Buffer piece) {
        makeRoom(piece.length());
        piece.getBytes(bytes, length);
        length += piece.length();
    }

    synchronized void append(byte[] piece, int count) {
        makeRoom(count);
        System.arraycopy(piece, 0, bytes, length, count);
        length += count;
    }

    private void makeRoom(int more) {
        if (released) {
            throw new IllegalStateException("nobody waits for the body any more");
        }
        long needed = (long) length + more;
        if (needed > limit) {
            throw tooLarge.get();
        }
        if (needed > bytes.length) {
            long doubled = Math.max(2L * bytes.length, FIRST_CAPACITY);
            int capacity = (int) Math.min(Math.max(doubled, needed), limit);
            admitted.reserve(capacity - bytes.length);
            bytes = Arrays.copyOf(bytes, capacity);
        }
    }

    synchronized byte[] bytes() {
        return bytes;
    }

    synchronized int length() {
        return length;
    }

    /** Gives the memory back; may be called again. */
    synchronized void release() {
        released = true;
        admitted.release(bytes.length);
        bytes = new byte[0];
        length = 0;
    }
}
