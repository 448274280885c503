package dev.waybill.runtime.tracing;

import java.time.Instant;
import java.util.List;

/**
 * A run that has ended and waits to be sent.
 *
 * @param run without what is too large of it
 * @param end likewise
 * @param steps in the order that they began in
 * @param held the memory that it takes
 */
record EndedTrace(TracedRun run, Instant start, RunTrace.End end, List<TracedStep> steps, long held) {

    /** How many runs the store will have of it. */
    int rows() {
        return 1 + steps.size();
    }
}
