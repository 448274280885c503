package dev.waybill.experiment.body;

import java.util.concurrent.atomic.AtomicLong;

/** Limits the disk space of all spooled bodies: a request beyond the limit is rejected before the disk is full. */
final class DiskBudget {

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    DiskBudget(long limit) {
        this.limit = limit;
    }

    boolean tryReserve(long bytes) {
        long before;
        do {
            before = used.get();
            if (before + bytes > limit) {
                return false;
            }
        } while (!used.compareAndSet(before, before + bytes));
        return true;
    }

    void release(long bytes) {
        used.addAndGet(-bytes);
    }

    long used() {
        return used.get();
    }
}
