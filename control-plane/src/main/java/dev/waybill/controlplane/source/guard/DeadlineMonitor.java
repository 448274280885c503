package dev.waybill.controlplane.source.guard;

import org.eclipse.jgit.lib.EmptyProgressMonitor;

/** Cancels JGit's processing of received data when the deadline has passed or the thread was interrupted. */
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
