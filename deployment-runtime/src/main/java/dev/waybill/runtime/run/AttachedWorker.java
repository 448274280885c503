package dev.waybill.runtime.run;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.worker.Workers.RunHandle;

/** The handle of a run in its worker, and the credit that readers release while there is none. */
final class AttachedWorker {

    private @Nullable RunHandle handle;
    private int pendingCredit;

    /** Sets the handle, and releases the credit of events that readers have consumed so far. */
    void attach(RunHandle attached) {
        int credit;
        synchronized (this) {
            handle = attached;
            credit = pendingCredit;
            pendingCredit = 0;
        }
        if (credit > 0) {
            attached.releaseCredit(credit);
        }
    }

    /** Releases the credit of events that readers have consumed. */
    void releaseCredit(int cost) {
        RunHandle current;
        synchronized (this) {
            current = handle;
            pendingCredit += current == null ? cost : 0;
        }
        if (current != null && cost > 0) {
            current.releaseCredit(cost);
        }
    }

    /** Cancels the run in its worker, if it was started there. */
    void cancel() {
        RunHandle detached = detach();
        if (detached != null) {
            detached.cancel();
        }
    }

    /** Releases the handle, which must not be retained with an ended run. */
    synchronized @Nullable RunHandle detach() {
        RunHandle detached = handle;
        handle = null;
        return detached;
    }
}
