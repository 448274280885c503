package dev.waybill.runtime.tracing;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.waybill.runtime.protocol.Message.Step;
import dev.waybill.runtime.tracing.TraceQueue.CompletedTrace;

/**
 * Records the trace of an active run. Steps are stored while they fit into the limits of the trace and of the queue; of a step
 * that
 * no longer fits, at least the end is recorded, so that it does not look unfinished.
 */
final class RecordedTrace implements RunTrace {

    /** Memory of a step or run in addition to its texts. */
    private static final int OVERHEAD_BYTES = 400;
    private static final int MAX_STEPS = 1_000;

    private TracedRun run;
    private final long maxBytes;
    private final TraceQueue queue;
    private final DroppedTraces dropped;
    private final Map<String, TracedStep> steps = new LinkedHashMap<>();
    private Instant start;
    private long reservedBytes;
    private long reservedStepBytes;
    private boolean started;
    private boolean completed;

    /** @param maxBytes maximum size of the inputs, of the outputs and of all steps, each */
    RecordedTrace(TracedRun run, Instant start, long maxBytes, TraceQueue queue, DroppedTraces dropped) {
        this.run = run;
        this.start = start;
        this.maxBytes = maxBytes;
        this.queue = queue;
        this.dropped = dropped;
    }

    @Override
    public long stepBytes() {
        return maxBytes;
    }

    @Override
    public boolean needsOutputs() {
        return true;
    }

    /** Reserves memory for the inputs, which the run itself no longer references. */
    @Override
    public synchronized void started(Instant at) {
        start = at;
        started = true;
        reserveRun();
    }

    private void reserveRun() {
        run = run.limit(maxBytes);
        long bytes = OVERHEAD_BYTES + run.size();
        if (queue.reserve(bytes)) {
            reservedBytes += bytes;
        } else {
            run = run.withoutContent();
        }
    }

    @Override
    public synchronized void step(Step step) {
        if (completed) {
            return;
        }
        TracedStep recorded = steps.get(step.id());
        Instant startTime = step.times().start();
        if (recorded == null && (step.name() == null || startTime == null)) {
            dropped.count(DroppedTraces.Reason.INVALID, 1);
            return;
        }
        long bytes = step.cost() + (recorded == null ? OVERHEAD_BYTES : 0);
        boolean withinLimits = reservedStepBytes + bytes <= maxBytes && (recorded != null || steps.size() < MAX_STEPS);
        boolean fits = withinLimits && queue.reserve(bytes);
        reservedBytes += fits ? bytes : 0;
        reservedStepBytes += fits ? bytes : 0;
        if (recorded != null) {
            recorded.add(step, fits);
        } else if (fits && startTime != null) {
            steps.put(step.id(), new TracedStep(run.id(), step, startTime, steps.get(step.parent())));
        } else {
            dropped.count(withinLimits ? DroppedTraces.Reason.FULL : DroppedTraces.Reason.TRACE_SIZE, 1);
        }
    }

    @Override
    public synchronized void ended(End result) {
        if (completed) {
            return;
        }
        completed = true;
        if (!started) {
            // The run ended during its delay, so that no memory was reserved for its inputs yet.
            reserveRun();
        }
        End end = result.limit(maxBytes);
        long bytes = OVERHEAD_BYTES + JsonMemory.of(end.outputs());
        boolean fits = queue.reserve(bytes);
        reservedBytes += fits ? bytes : 0;
        CompletedTrace trace = new CompletedTrace(run, start, end, List.copyOf(steps.values()), reservedBytes);
        // The run is retained for a while and still references this object: release steps and inputs.
        steps.clear();
        run = run.withoutContent();
        if (!fits || !queue.add(trace)) {
            dropped.count(queue.isClosed() ? DroppedTraces.Reason.SHUTDOWN : DroppedTraces.Reason.FULL, trace.rowCount());
            queue.release(trace.reservedBytes());
        }
    }
}
