package dev.waybill.runtime.tracing;

import java.time.Instant;
import java.util.List;

/**
 * The trace of an ended run, ready to be sent.
 *
 * @param run the run; members that exceed the size limit are replaced by their size
 * @param end result of the run, limited likewise
 * @param steps steps in the order of their start
 * @param reservedBytes memory reserved in the queue
 */
record CompletedTrace(TracedRun run, Instant start, RunTrace.End end, List<TracedStep> steps, long reservedBytes) {

    /** Returns the number of rows in the trace store. */
    int rowCount() {
        return 1 + steps.size();
    }
}
