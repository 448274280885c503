package dev.waybill.runtime.jsonstate;

import java.util.concurrent.atomic.AtomicLong;

import jakarta.inject.Singleton;

import dev.waybill.common.limit.MemoryBudget;

/** Limits the memory of the states that the runs of this runtime have together, from their start to their end. */
@Singleton
public class JsonStateMemory {

    private static final int SHARE_OF_HEAP = 4;
    /** The state before a run, and the one after it. */
    private static final int STATES_OF_A_RUN = 2;

    // The largest state always fits.
    private final MemoryBudget budget = new MemoryBudget(
            Math.max(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, (long) STATES_OF_A_RUN * JsonState.MAX_BYTES));
    private final AtomicLong refused = new AtomicLong();

    /** Reserves memory for a run whose thread has a state of this size; fails if it is not available now. */
    Reservation reserve(long stateBytes) {
        long bytes = stateBytes * STATES_OF_A_RUN;
        if (!budget.tryReserve(bytes)) {
            refused.incrementAndGet();
            throw new UnavailableException();
        }
        return () -> budget.release(bytes);
    }

    /** Returns how often memory was not available. */
    long refused() {
        return refused.get();
    }

    /** Memory of a run, which must be released once. */
    @FunctionalInterface
    public interface Reservation {

        void release();
    }

    /** The states of other runs use the memory. */
    public static final class UnavailableException extends RuntimeException {

        UnavailableException() {
            super("The states of other runs use the memory for states.");
        }
    }
}
