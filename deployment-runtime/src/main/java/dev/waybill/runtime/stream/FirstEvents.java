package dev.waybill.runtime.stream;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.vertx.core.Vertx;

/**
 * Lets a stream's first event, which says no more than that there is a run, wait a moment for the second. When a worker is
 * quick
 * they leave in one packet; when it is not, the first goes without them. One timer for all streams.
 */
final class FirstEvents {

    private static final long PATIENCE_MILLIS = 10;

    private final Vertx vertx;
    private final Queue<Held> held = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean armed = new AtomicBoolean();

    FirstEvents(Vertx vertx) {
        this.vertx = vertx;
    }

    /** @param since by {@link System#nanoTime} */
    private record Held(EventStream stream, long since) {

        long leftMillis(long now) {
            return PATIENCE_MILLIS - TimeUnit.NANOSECONDS.toMillis(now - since);
        }

        /** Those that have spoken meanwhile wait for nothing, nor does the timer for them. */
        boolean isOver(long now) {
            return stream.hasSpoken() || leftMillis(now) <= 0;
        }
    }

    /** Has the stream speak in a moment, if it has not by then. */
    void hold(EventStream stream) {
        held.add(new Held(stream, System.nanoTime()));
        arm(PATIENCE_MILLIS);
    }

    private void arm(long millis) {
        if (armed.compareAndSet(false, true)) {
            vertx.setTimer(Math.max(1, millis), ignored -> release());
        }
    }

    private void release() {
        long now = System.nanoTime();
        Held first = held.peek();
        while (first != null && first.isOver(now)) {
            held.remove(first);
            first.stream().speak();
            first = held.peek();
        }
        armed.set(false);
        // Also one that was added while this was still the armed one.
        Held next = held.peek();
        if (next != null) {
            arm(next.leftMillis(now));
        }
    }
}
