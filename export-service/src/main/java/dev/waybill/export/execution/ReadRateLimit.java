package dev.waybill.export.execution;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the rate at which one run reads rows, in bytes per second (docs/decisions/0020). While the reader sleeps, PostgreSQL
 * blocks on the full connection and serves other clients. Not thread-safe.
 */
public final class ReadRateLimit {

    // Shorter sleeps cost more than they save.
    private static final long MIN_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final long bytesPerSecond;
    private final LongSupplier nanoTime;
    private final Sleeper sleeper;
    private long windowStart;
    private long bytes;

    private ReadRateLimit(long bytesPerSecond, LongSupplier nanoTime, Sleeper sleeper) {
        this.bytesPerSecond = bytesPerSecond;
        this.nanoTime = nanoTime;
        this.sleeper = sleeper;
        this.windowStart = nanoTime.getAsLong();
    }

    /** Returns a limit whose first interval starts now; 0 means unlimited. */
    public static ReadRateLimit of(long bytesPerSecond) {
        return new ReadRateLimit(bytesPerSecond, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
    }

    static ReadRateLimit of(long bytesPerSecond, LongSupplier nanoTime, Sleeper sleeper) {
        return new ReadRateLimit(bytesPerSecond, nanoTime, sleeper);
    }

    /** Accounts for {@code count} bytes and blocks until the next row may be read. */
    public void acquire(int count) throws InterruptedIOException {
        if (bytesPerSecond == 0) {
            return;
        }
        bytes += count;
        long dueNanos = (long) (bytes * 1e9 / bytesPerSecond);
        long ahead = dueNanos - (nanoTime.getAsLong() - windowStart);
        if (ahead >= MIN_SLEEP_NANOS) {
            sleep(ahead);
        } else if (ahead < -TimeUnit.SECONDS.toNanos(1)) {
            // Time lost to a slow store must not be followed by a burst.
            windowStart = nanoTime.getAsLong();
            bytes = 0;
        }
    }

    private void sleep(long nanos) throws InterruptedIOException {
        try {
            sleeper.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException(
                    "the thread was interrupted while the read rate was limited");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    /** Blocks the thread for a number of nanoseconds. */
    @FunctionalInterface
    interface Sleeper {

        void sleep(long nanos) throws InterruptedException;
    }
}
