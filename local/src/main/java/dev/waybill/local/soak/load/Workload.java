package dev.waybill.local.soak.load;

import java.util.List;

/** One of the things that clients do all the time. */
interface Workload {

    String name();

    /** The pause after each step, which leaves the machine to what is watched. */
    int pauseMillis();

    /** Does it once, until it is answered with success, and writes down what that promised. */
    void step();

    /** @return where what is there differs from the books, as of now: what is promised for later may still come */
    List<String> wrong();
}
