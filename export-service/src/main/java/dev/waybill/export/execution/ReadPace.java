package dev.waybill.export.execution;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Holds one run's reading to a number of bytes a second (docs/decisions/0020): while it rests, PostgreSQL waits for room in the
 * connection and works for others. For one thread.
 */
final class ReadPace {

    // Shorter rests would cost more than they give.
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final long bytesPerSecond;
    private final LongSupplier nanoTime;
    private final Rest rest;
    private long from;
    private long bytes;

    private ReadPace(long bytesPerSecond, LongSupplier nanoTime, Rest rest) {
        this.bytesPerSecond = bytesPerSecond;
        this.nanoTime = nanoTime;
        this.rest = rest;
        this.from = nanoTime.getAsLong();
    }

    /** A pace that begins now; zero bytes per second hold nothing back. */
    static ReadPace of(long bytesPerSecond) {
        return new ReadPace(bytesPerSecond, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
    }

    static ReadPace of(long bytesPerSecond, LongSupplier nanoTime, Rest rest) {
        return new ReadPace(bytesPerSecond, nanoTime, rest);
    }

    /** So many bytes were read; returns when more may be. */
    void read(int count) throws InterruptedIOException {
        if (bytesPerSecond == 0) {
            return;
        }
        bytes += count;
        long due = (long) (bytes * 1e9 / bytesPerSecond);
        long early = due - (nanoTime.getAsLong() - from);
        if (early >= SHORTEST_NANOS) {
            sleep(early);
        } else if (early < -TimeUnit.SECONDS.toNanos(1)) {
            // What a slow store held up is not made good for by a burst.
            from = nanoTime.getAsLong();
            bytes = 0;
        }
    }

    private void sleep(long nanos) throws InterruptedIOException {
        try {
            rest.of(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("the reading of runs was interrupted");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    /** A way to rest. */
    @FunctionalInterface
    interface Rest {

        void of(long nanos) throws InterruptedException;
    }
}
