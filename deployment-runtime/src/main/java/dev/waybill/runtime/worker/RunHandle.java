package dev.waybill.runtime.worker;

/** Handle of a run in a worker. */
public interface RunHandle {

    /** Releases credit of consumed events, so that the worker can send more. */
    void releaseCredit(int cost);

    /** Cancels the run; its sink is notified immediately, before the worker responds. */
    void cancel();
}
