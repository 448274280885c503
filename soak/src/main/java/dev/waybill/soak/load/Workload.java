package dev.waybill.soak.load;

import java.util.List;

/** A kind of request that clients repeat, with a check of its effects. */
interface Workload {

    String name();

    /** Returns the pause after each step, which limits the load on the machine. */
    int pauseMillis();

    /** Sends one request or a group of requests until it succeeds, and records the expected effects. */
    void step();

    /**
     * Returns the current differences between the expected and the stored effects; asynchronous effects may still be missing.
     */
    List<String> differences();
}
