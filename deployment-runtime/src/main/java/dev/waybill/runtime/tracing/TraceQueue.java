package dev.waybill.runtime.tracing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.limit.MemoryBudget;

/**
 * Queue of completed traces, with a limit for the memory of these and of the traces of active runs. Producers never block: a
 * reservation succeeds or fails immediately.
 */
final class TraceQueue {

    private final MemoryBudget memory;
    private final Deque<CompletedTrace> traces = new ArrayDeque<>();
    private boolean closed;

    TraceQueue(long capacity) {
        this.memory = new MemoryBudget(capacity);
    }

    /** Reserves memory; returns false if the limit is reached. */
    synchronized boolean reserve(long bytes) {
        return !closed && memory.tryReserve(bytes);
    }

    void release(long bytes) {
        memory.release(bytes);
    }

    long used() {
        return memory.used();
    }

    /** Adds a trace, whose memory is reserved; returns false if the queue is closed. */
    synchronized boolean add(CompletedTrace trace) {
        if (closed) {
            return false;
        }
        traces.add(trace);
        notifyAll();
        return true;
    }

    /** Waits for the next trace; returns null when the queue is closed and empty. */
    synchronized @Nullable CompletedTrace take() throws InterruptedException {
        while (traces.isEmpty() && !closed) {
            wait();
        }
        return traces.poll();
    }

    /** Waits for the next trace until that time ({@link System#nanoTime}); does not wait when the queue is closed. */
    synchronized @Nullable CompletedTrace pollUntil(long nanos) throws InterruptedException {
        while (traces.isEmpty() && !closed) {
            long millis = (nanos - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                return null;
            }
            wait(millis);
        }
        return traces.poll();
    }

    /** Returns the next trace, or null if the queue is empty. */
    synchronized @Nullable CompletedTrace poll() {
        return traces.poll();
    }

    /** Sleeps for the duration, or until the queue is closed. */
    synchronized void sleep(Duration duration) throws InterruptedException {
        long end = System.nanoTime() + duration.toNanos();
        while (!closed) {
            long millis = (end - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                return;
            }
            wait(millis);
        }
    }

    /** Closes the queue for new traces. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /**
     * The trace of an ended run, ready to be sent.
     *
     * @param run the run; members that exceed the size limit are replaced by their size
     * @param end result of the run, limited likewise
     * @param steps steps in the order of their start
     * @param reservedBytes memory reserved in the queue
     */
    record CompletedTrace(TracedRun run, Instant start, RunTrace.End end, List<TracedStep> steps, long reservedBytes) {

        /** Returns the number of rows in the trace store. */
        int rowCount() {
            return 1 + steps.size();
        }
    }
}
