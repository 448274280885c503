package dev.waybill.common.limit;

import java.util.concurrent.atomic.AtomicLong;

/** Limits the bytes, of memory or disk, that concurrent work uses together. Reservations never wait. */
public final class MemoryBudget {

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    public MemoryBudget(long limit) {
        this.limit = limit;
    }

    /** Reserves bytes; returns false if they exceed the limit. */
    public boolean tryReserve(long bytes) {
        long before;
        do {
            before = used.get();
            if (before + bytes > limit) {
                return false;
            }
        } while (!used.compareAndSet(before, before + bytes));
        return true;
    }

    /** Reserves bytes that are used already, also beyond the limit: further reservations are refused then. */
    public void reserve(long bytes) {
        used.addAndGet(bytes);
    }

    public void release(long bytes) {
        used.addAndGet(-bytes);
    }

    public long used() {
        return used.get();
    }
}
