package dev.waybill.soak.replicas;

import java.util.concurrent.atomic.AtomicLong;

/** The period from the moment before a replica is stopped until it is ready again. */
final class Outage {

    private final long start = System.nanoTime();
    private final AtomicLong end = new AtomicLong(Long.MAX_VALUE);

    void end() {
        end.set(System.nanoTime());
    }

    /** Returns whether the outage overlaps the period of a request, inclusive. */
    boolean overlaps(long sent, long ended) {
        long last = end.get();
        return ended - start >= 0 && (last == Long.MAX_VALUE || last - sent >= 0);
    }
}
