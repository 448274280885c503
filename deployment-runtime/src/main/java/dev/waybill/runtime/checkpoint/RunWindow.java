package dev.waybill.runtime.checkpoint;

/** Requests of a run without a response: their number, and the bytes of those that write. */
final class RunWindow {

    /** Maximum number of requests without a response. */
    static final int MAX_REQUESTS = 10_000;

    private final int maxBytes;
    private long bytes;
    private int requests;

    RunWindow(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Adds a request; returns false if the worker should have waited. The last request may exceed the limit. */
    synchronized boolean tryAdd(int cost) {
        if (requests >= MAX_REQUESTS || cost > 0 && bytes >= maxBytes) {
            return false;
        }
        requests++;
        bytes += cost;
        return true;
    }

    /** Removes a request that gets its response now. */
    synchronized void remove(int cost) {
        requests--;
        bytes -= cost;
    }
}
