package dev.waybill.runtime.run;

import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.logging.LogKeys;
import dev.waybill.runtime.storage.ChangesRejectedException;
import dev.waybill.runtime.storage.FenceLostException;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.StartedRun;

/**
 * Stores the events of a run on a thread while clients of other replicas follow it, and its end after them. The run ends for
 * its clients when its end is stored.
 */
final class ExecutionRecorder {

    private static final Logger LOG = Logger.getLogger(ExecutionRecorder.class);

    private final Run run;
    private final ThreadRuns runs;
    private @Nullable EventRelay relay;
    private boolean ending;

    ExecutionRecorder(Run run, ThreadRuns runs) {
        this.run = run;
        this.runs = runs;
    }

    /**
     * Stores the events of an attempt while clients follow the run.
     *
     * @param fence of the attempt that the worker executes; null: none
     */
    void relay(boolean followed, @Nullable RunFence fence) {
        EventRelay started = null;
        EventRelay stopped = null;
        synchronized (this) {
            EventRelay current = relay;
            if (!followed) {
                stopped = current;
            } else if (!ending && fence != null && (current == null || current.isReplaceable())) {
                started = runs.relay(run, fence, current);
                relay = started;
            }
        }
        if (stopped != null) {
            stopped.pause();
        }
        if (started != null) {
            started.start();
        }
    }

    /** Stores the end after the events, ends the run for its clients, and executes the next run of the thread. */
    void end(Run.End end, Supplier<CompletionStage<Optional<StartedRun>>> store) {
        EventRelay current;
        synchronized (this) {
            current = relay;
            relay = null;
            ending = true;
        }
        if (current == null) {
            storeEnd(end, store);
        } else {
            // No events can be stored after the end.
            current.finish().whenComplete((ignored, failure) -> storeEnd(end, store));
        }
    }

    private void storeEnd(Run.End end, Supplier<CompletionStage<Optional<StartedRun>>> store) {
        store.get().whenComplete((next, failure) -> {
            finish(end, failure);
            if (failure == null) {
                next.ifPresent(runs::started);
            }
        });
    }

    /** Ends the run for its clients, after its end was stored or could not be. */
    void finish(Run.End end, @Nullable Throwable failure) {
        run.finish(failure == null ? end : lost(failure));
    }

    /** Ends the run for its clients, because its attempt could not be stored. */
    void lose(Throwable failure) {
        run.finish(lost(failure));
    }

    private Run.End lost(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (!(cause instanceof FenceLostException)) {
            LOG.errorf(failure, "could not store the end of a run: %s=%s", LogKeys.RUN_ID, run.id());
        }
        RunError error = cause instanceof ChangesRejectedException ? RunError.REJECTED : RunError.LOST;
        return new Run.End(RunStatus.ERROR, error, null);
    }
}
