package dev.waybill.runtime.jsonstate;

import java.util.concurrent.atomic.AtomicLong;

import jakarta.inject.Singleton;

import dev.waybill.common.limit.MemoryBudget;

/** Limits the memory of the states that the runs of this runtime have together, from their start to their end. */
@Singleton
public class JsonStateMemory {

    private static final int SHARE_OF_HEAP = 4;
    /** Two trees, before and after the run, and two texts. Trees of messages have 2 to 5 times their JSON (measured). */
    private static final int BYTES_PER_BYTE_OF_JSON = 12;
    /** Memory of a run with a small state, or with none yet. */
    static final long MIN_BYTES = 256 << 10;

    private final long limit = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
    private final MemoryBudget budget = new MemoryBudget(limit);
    private final AtomicLong refused = new AtomicLong();

    /** Reserves memory for a run whose thread has a state of this size; fails if it is not available now. */
    Reservation reserve(long stateBytes) {
        long bytes = needed(stateBytes);
        if (!budget.tryReserve(bytes)) {
            refused.incrementAndGet();
            throw new UnavailableException();
        }
        return new Held(bytes);
    }

    /** Returns the memory of a run; a large state gets all of it, so that its run starts when no other one is active. */
    private long needed(long stateBytes) {
        return Math.min(limit, Math.max(MIN_BYTES, stateBytes * BYTES_PER_BYTE_OF_JSON));
    }

    /** Returns how often memory was not available. */
    long refused() {
        return refused.get();
    }

    /** Returns the reserved bytes. */
    long used() {
        return budget.used();
    }

    /** Memory of a run. */
    public interface Reservation {

        /** Adds what a larger state after the run needs. It is in memory already, so further runs wait. */
        void grow(long stateBytes);

        /** Releases the memory; has no effect the second time. */
        void release();
    }

    private final class Held implements Reservation {

        private long bytes;
        private boolean released;

        Held(long bytes) {
            this.bytes = bytes;
        }

        @Override
        public synchronized void grow(long stateBytes) {
            long more = needed(stateBytes) - bytes;
            if (!released && more > 0) {
                budget.reserve(more);
                bytes += more;
            }
        }

        @Override
        public synchronized void release() {
            if (!released) {
                released = true;
                budget.release(bytes);
            }
        }
    }

    /** The states of other runs use the memory. */
    public static final class UnavailableException extends RuntimeException {

        UnavailableException() {
            super("The states of other runs use the memory for states.");
        }
    }
}
