package dev.waybill.runtime.tracing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/**
 * Traces that wait to be sent, and the memory that they and those of the runs under way may take together. Whoever puts
 * in never waits: there is room or there is none.
 */
final class TraceQueue {

    private final long capacity;
    private final Deque<EndedTrace> ended = new ArrayDeque<>();
    private long used;
    private boolean closed;

    TraceQueue(long capacity) {
        this.capacity = capacity;
    }

    /** Takes memory; false when there is none left. */
    synchronized boolean reserve(long bytes) {
        if (closed || used + bytes > capacity) {
            return false;
        }
        used += bytes;
        return true;
    }

    synchronized void release(long bytes) {
        used -= bytes;
    }

    synchronized long used() {
        return used;
    }

    /** Puts in a trace that has its memory; false when it is too late. */
    synchronized boolean add(EndedTrace trace) {
        if (closed) {
            return false;
        }
        ended.add(trace);
        notifyAll();
        return true;
    }

    /** The next one; null when there is none any more and will be none. */
    synchronized @Nullable EndedTrace take() throws InterruptedException {
        while (ended.isEmpty() && !closed) {
            wait();
        }
        return ended.poll();
    }

    /** The next one if it comes before that time ({@link System#nanoTime}); when the queue is closed, if it is there. */
    synchronized @Nullable EndedTrace takeBefore(long nanos) throws InterruptedException {
        while (ended.isEmpty() && !closed) {
            long millis = (nanos - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                return null;
            }
            wait(millis);
        }
        return ended.poll();
    }

    /** The next one, if it is there. */
    synchronized @Nullable EndedTrace poll() {
        return ended.poll();
    }

    /** Waits for so long, or until the queue is closed. */
    synchronized void pause(Duration duration) throws InterruptedException {
        long end = System.nanoTime() + duration.toNanos();
        while (!closed) {
            long millis = (end - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                return;
            }
            wait(millis);
        }
    }

    /** From now on nothing more comes in. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    synchronized boolean isClosed() {
        return closed;
    }
}
