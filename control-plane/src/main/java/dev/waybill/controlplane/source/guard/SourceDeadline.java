package dev.waybill.controlplane.source.guard;

import java.io.InterruptedIOException;
import java.time.Duration;

import org.eclipse.jgit.lib.EmptyProgressMonitor;

import dev.waybill.controlplane.source.SourceException;

/** The deadline of an operation. */
public final class SourceDeadline {

    private final Duration time;
    private final long end;

    private SourceDeadline(Duration time) {
        this.time = time;
        this.end = System.nanoTime() + time.toNanos();
    }

    public static SourceDeadline in(Duration time) {
        return new SourceDeadline(time);
    }

    boolean hasPassed() {
        return remaining().isNegative();
    }

    public Duration remaining() {
        return Duration.ofNanos(end - System.nanoTime());
    }

    /**
     * @throws SourceException if the deadline has passed
     * @throws InterruptedIOException if the thread was interrupted
     */
    public void check() throws InterruptedIOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("the operation was cancelled");
        }
        if (hasPassed()) {
            throw new SourceException(SourceException.Kind.UNAVAILABLE,
                    "The repository could not be read within " + time.toSeconds()
                            + " s; it may be too large, or its host too slow.");
        }
    }

    /** Cancels JGit's processing of received data when the deadline has passed or the thread was interrupted. */
    public static final class DeadlineMonitor extends EmptyProgressMonitor {

        private final SourceDeadline deadline;

        public DeadlineMonitor(SourceDeadline deadline) {
            this.deadline = deadline;
        }

        @Override
        public boolean isCancelled() {
            return deadline.hasPassed() || Thread.currentThread().isInterrupted();
        }
    }
}
