package dev.waybill.local.soak.replicas;

import java.util.concurrent.atomic.AtomicLong;

/**
 * From before a replica was told to end until its first ready answer afterwards, by what was done to it and not by any
 * expectation of how long that takes.
 */
final class Outage {

    private final long from = System.nanoTime();
    private final AtomicLong until = new AtomicLong(Long.MAX_VALUE);

    void end() {
        until.set(System.nanoTime());
    }

    /** Whether a request that was under way in that time may have met it: its edges count. */
    boolean overlaps(long sent, long ended) {
        long last = until.get();
        return ended - from >= 0 && (last == Long.MAX_VALUE || last - sent >= 0);
    }
}
