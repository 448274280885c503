package dev.waybill.controlplane.source.guard;

import java.io.InterruptedIOException;
import java.time.Duration;

import dev.waybill.controlplane.source.SourceException;

/** The end of the time that something may take. */
public final class Deadline {

    private final Duration time;
    private final long end;

    private Deadline(Duration time) {
        this.time = time;
        this.end = System.nanoTime() + time.toNanos();
    }

    public static Deadline in(Duration time) {
        return new Deadline(time);
    }

    boolean hasPassed() {
        return left().isNegative();
    }

    public Duration left() {
        return Duration.ofNanos(end - System.nanoTime());
    }

    /**
     * @throws SourceException when the time is over
     * @throws InterruptedIOException when nobody waits any more
     */
    public void check() throws InterruptedIOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("nobody waits for it any more");
        }
        if (hasPassed()) {
            throw new SourceException(SourceException.Kind.AWAY,
                    "The repository could not be read within " + time.toSeconds()
                            + " s; it may be too large, or its host too slow.");
        }
    }
}
