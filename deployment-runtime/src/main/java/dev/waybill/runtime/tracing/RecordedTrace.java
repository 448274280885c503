package dev.waybill.runtime.tracing;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.waybill.runtime.protocol.Step;

/**
 * What is known of one run until it ends. Steps are kept while they fit: into the trace, and into the memory that all
 * traces have. Of one that does not fit any more at least its end is noted, so that it does not look as if it went on.
 */
final class RecordedTrace implements RunTrace {

    /** Beside its texts, of a step. */
    private static final int OVERHEAD = 400;
    private static final int MOST_STEPS = 1_000;

    private TracedRun run;
    private final long most;
    private final TraceQueue queue;
    private final Drops drops;
    private final Map<String, TracedStep> steps = new LinkedHashMap<>();
    private Instant start;
    private long held;
    private long ofSteps;
    private boolean begun;
    private boolean over;

    /** @param most how large its inputs, its outputs and its steps may each be */
    RecordedTrace(TracedRun run, Instant start, long most, TraceQueue queue, Drops drops) {
        this.run = run;
        this.start = start;
        this.most = most;
        this.queue = queue;
        this.drops = drops;
    }

    @Override
    public long stepBytes() {
        return most;
    }

    @Override
    public boolean takesOutputs() {
        return true;
    }

    /** From now on it may be the only one that keeps what the run was given. */
    @Override
    public synchronized void begun(Instant at) {
        start = at;
        begun = true;
        takeRun();
    }

    private void takeRun() {
        run = run.upTo(most);
        long bytes = OVERHEAD + run.size();
        if (queue.reserve(bytes)) {
            held += bytes;
        } else {
            run = run.withoutContent();
        }
    }

    @Override
    public synchronized void step(Step step) {
        if (over) {
            return;
        }
        TracedStep known = steps.get(step.id());
        Instant began = step.times().start();
        if (known == null && (step.name() == null || began == null)) {
            drops.note(Drops.Reason.INVALID, 1);
            return;
        }
        long bytes = step.cost() + (known == null ? OVERHEAD : 0);
        boolean hasPlace = ofSteps + bytes <= most && (known != null || steps.size() < MOST_STEPS);
        boolean fits = hasPlace && queue.reserve(bytes);
        held += fits ? bytes : 0;
        ofSteps += fits ? bytes : 0;
        if (known != null) {
            known.add(step, fits);
        } else if (fits && began != null) {
            steps.put(step.id(), new TracedStep(run.id(), step, began, steps.get(step.parent())));
        } else {
            drops.note(hasPlace ? Drops.Reason.FULL : Drops.Reason.TRACE_SIZE, 1);
        }
    }

    @Override
    public synchronized void ended(End how) {
        if (over) {
            return;
        }
        over = true;
        if (!begun) {
            // It has ended while it waited for its time, and what it was given takes memory only from now on.
            takeRun();
        }
        End end = how.upTo(most);
        long bytes = OVERHEAD + JsonSize.of(end.outputs());
        boolean fits = queue.reserve(bytes);
        held += fits ? bytes : 0;
        EndedTrace ended = new EndedTrace(run, start, end, List.copyOf(steps.values()), held);
        // The run may be asked for a while longer, and must not keep them alive.
        steps.clear();
        run = run.withoutContent();
        if (!fits || !queue.add(ended)) {
            drops.note(queue.isClosed() ? Drops.Reason.SHUTDOWN : Drops.Reason.FULL, ended.rows());
            queue.release(ended.held());
        }
    }
}
