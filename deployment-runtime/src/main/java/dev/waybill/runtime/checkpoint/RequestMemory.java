package dev.waybill.runtime.checkpoint;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.waybill.common.limit.MemoryBudget;

/**
 * Memory of requests of all runs of the process. Large messages wait for it in the order of their first parts; lines do not
 * wait, and may overtake them.
 */
final class RequestMemory {

    private final MemoryBudget budget;
    private final long limit;
    private final Duration timeout;
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    /** A reservation that waits; the future is true when the bytes are reserved, and false after the timeout. */
    private record Waiting(long bytes, CompletableFuture<Boolean> reserved) {
    }

    /** @param timeout maximum time that a reservation waits */
    RequestMemory(long limit, Duration timeout) {
        this.budget = new MemoryBudget(limit);
        this.limit = limit;
        this.timeout = timeout;
    }

    /** Reserves bytes; returns false if they exceed the limit now. */
    boolean tryReserve(long bytes) {
        return budget.tryReserve(bytes);
    }

    /**
     * Reserves bytes, after all reservations that wait already. The result is false if that takes longer than the timeout, or
     * if they exceed the limit alone. The caller may complete it with false to stop waiting.
     */
    CompletableFuture<Boolean> reserve(long bytes) {
        if (bytes > limit) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Boolean> reserved = new CompletableFuture<>();
        synchronized (waiting) {
            waiting.add(new Waiting(bytes, reserved));
        }
        grant();
        return reserved.completeOnTimeout(false, timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Releases bytes and grants the reservations that fit now. */
    void release(long bytes) {
        budget.release(bytes);
        grant();
    }

    /** Returns the reserved bytes. */
    long used() {
        return budget.used();
    }

    private void grant() {
        boolean released = true;
        while (released) {
            released = false;
            for (Waiting granted : takeFitting()) {
                if (!granted.reserved().complete(true)) {
                    // It has just stopped waiting.
                    budget.release(granted.bytes());
                    released = true;
                }
            }
        }
    }

    /** Reserves the bytes of the first reservations and removes those, as well as the ones that no longer wait. */
    private List<Waiting> takeFitting() {
        List<Waiting> fitting = new ArrayList<>();
        synchronized (waiting) {
            for (Waiting first = waiting.peek(); first != null; first = waiting.peek()) {
                if (!first.reserved().isDone()) {
                    if (!budget.tryReserve(first.bytes())) {
                        break;
                    }
                    fitting.add(first);
                }
                waiting.remove();
            }
        }
        return fitting;
    }
}
