package dev.waybill.runtime.stream;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.vertx.core.Vertx;

/**
 * Delays the first event of a stream, which only carries the run's id, for a moment, so that it leaves in one packet with the
 * second
 * if the worker is fast. One timer serves all streams.
 */
final class FirstEventDelay {

    private static final long MAX_DELAY_MILLIS = 10;

    private final Vertx vertx;
    private final Queue<DelayedStream> delayed = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean armed = new AtomicBoolean();

    FirstEventDelay(Vertx vertx) {
        this.vertx = vertx;
    }

    /** @param since by {@link System#nanoTime} */
    private record DelayedStream(EventStream stream, long since) {

        long remainingMillis(long now) {
            return MAX_DELAY_MILLIS - TimeUnit.NANOSECONDS.toMillis(now - since);
        }

        /** Returns whether the stream was flushed meanwhile or its delay is over. */
        boolean isDue(long now) {
            return stream.hasWritten() || remainingMillis(now) <= 0;
        }
    }

    /** Flushes the stream after the delay, unless it was flushed before. */
    void delay(EventStream stream) {
        delayed.add(new DelayedStream(stream, System.nanoTime()));
        arm(MAX_DELAY_MILLIS);
    }

    private void arm(long millis) {
        if (armed.compareAndSet(false, true)) {
            vertx.setTimer(Math.max(1, millis), ignored -> release());
        }
    }

    private void release() {
        long now = System.nanoTime();
        DelayedStream first = delayed.peek();
        while (first != null && first.isDue(now)) {
            delayed.remove(first);
            first.stream().flush();
            first = delayed.peek();
        }
        armed.set(false);
        // Covers streams that were added while this timer was still armed.
        DelayedStream next = delayed.peek();
        if (next != null) {
            arm(next.remainingMillis(now));
        }
    }
}
