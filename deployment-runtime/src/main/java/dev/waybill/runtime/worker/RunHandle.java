package dev.waybill.runtime.worker;

/** A run that was given to a worker. */
public interface RunHandle {

    /** The client has taken events of this cost: as much more may come. */
    void consumed(int cost);

    /** Ends the run; its sink hears of it at once, whatever the worker does. */
    void cancel();
}
