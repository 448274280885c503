package dev.waybill.experiment.body;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.vertx.core.buffer.Buffer;

/** Bytes that come in pieces, up to a limit; every byte of capacity is taken from the budget first. */
final class GrowingBytes {

    private static final int FIRST_CAPACITY = 64 * 1024;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ByteBudget budget;
    private final int limit;
    private final Supplier<ProblemException> tooLarge;
    private byte[] bytes = new byte[0];
    private int length;

    /** @param tooLarge what is thrown when more than {@code limit} bytes come */
    GrowingBytes(ByteBudget budget, int limit, Supplier<ProblemException> tooLarge) {
        this.budget = budget;
        this.limit = limit;
        this.tooLarge = tooLarge;
    }

    void append(Buffer piece) {
        makeRoom(piece.length());
        piece.getBytes(bytes, length);
        length += piece.length();
    }

    void append(byte[] piece, int count) {
        makeRoom(count);
        System.arraycopy(piece, 0, bytes, length, count);
        length += count;
    }

    private void makeRoom(int more) {
        long needed = (long) length + more;
        if (needed > limit) {
            throw tooLarge.get();
        }
        if (needed > bytes.length) {
            long doubled = Math.max(2L * bytes.length, FIRST_CAPACITY);
            int capacity = (int) Math.min(Math.max(doubled, needed), limit);
            if (!budget.tryReserve(capacity - bytes.length)) {
                throw busy();
            }
            bytes = Arrays.copyOf(bytes, capacity);
        }
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Gives the memory back; may be called again. */
    void release() {
        budget.release(bytes.length);
        bytes = new byte[0];
        length = 0;
    }

    private static ProblemException busy() {
        return new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                "The service is taking in as much as its memory allows; send the same batch again after the pause that"
                        + " Retry-After names.")
                .retryAfter(PAUSE);
    }
}
