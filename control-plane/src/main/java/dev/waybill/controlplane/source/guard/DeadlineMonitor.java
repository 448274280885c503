package dev.waybill.controlplane.source.guard;

import org.eclipse.jgit.lib.EmptyProgressMonitor;

/** Ends git's work on what it has received when the time is over or nobody waits any more. */
public final class DeadlineMonitor extends EmptyProgressMonitor {

    private final Deadline deadline;

    public DeadlineMonitor(Deadline deadline) {
        this.deadline = deadline;
    }

    @Override
    public boolean isCancelled() {
        return deadline.hasPassed() || Thread.currentThread().isInterrupted();
    }
}
