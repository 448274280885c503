package dev.waybill.runtime.run;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.protocol.Message.Step;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.worker.RunSink;

/**
 * Execution of a run on a thread by this replica. The run starts when its client is ready and its thread has no other running
 * one, and ends for its clients when its result is stored. Called by workers' threads, event loops and timers; never calls
 * other objects while it holds its lock.
 */
final class ThreadExecution implements RunSink, Run.Execution {

    /** Maximum number of attempts of a run that does not depend on its client. */
    static final int MAX_ATTEMPTS = 3;

    private static final String WORKER_DIED = "WorkerDied";

    private final Run run;
    private final Owner owner;
    private final ThreadRuns runs;
    private final ExecutionRecorder recorder;
    private final boolean detached;
    private boolean clientReady;
    private boolean queued;
    private boolean launched;
    private @Nullable Attempt attempt;
    /** State of a graph without checkpoints, in the current attempt. */
    private @Nullable JsonRun json;
    /** The state of the current attempt, while it is read. */
    private @Nullable CompletableFuture<@Nullable JsonRun> reading;
    private Run.@Nullable End intended;
    private CancelAction action = CancelAction.INTERRUPT;

    /** @param detached whether the run continues without its client, and after the loss of its runtime or worker */
    ThreadExecution(Run run, Owner owner, boolean detached, ThreadRuns runs) {
        this.run = run;
        this.owner = owner;
        this.detached = detached;
        this.runs = runs;
        this.recorder = new ExecutionRecorder(run, runs);
    }

    Run run() {
        return run;
    }

    /** Returns whether the stored run waits for its thread. */
    synchronized boolean isQueued() {
        return queued;
    }

    /** Returns whether the run is running or waits for its thread, rather than being stored. */
    synchronized boolean isStored() {
        return queued || attempt != null;
    }

    /** Records that the run was stored as pending. */
    void queued() {
        Run.End end;
        synchronized (this) {
            queued = attempt == null;
            end = queued ? intended : null;
        }
        if (end != null) {
            withdraw(end);
        }
    }

    /**
     * Records that the thread has no other running run. If this replica still executes an attempt that was lost meanwhile, that
     * is stopped; the next attempt, which no execution knows then, is claimed again after it.
     */
    void begin(Attempt next) {
        boolean lost;
        synchronized (this) {
            lost = attempt != null;
            attempt = lost ? attempt : next;
            queued = false;
        }
        if (lost) {
            stop(RunStatus.ERROR, RunError.LOST);
        } else {
            launch();
        }
    }

    @Override
    public void start() {
        synchronized (this) {
            clientReady = true;
        }
        launch();
    }

    private void launch() {
        Attempt next;
        Run.End end;
        synchronized (this) {
            next = attempt;
            if (launched || !clientReady || next == null) {
                return;
            }
            launched = true;
            end = intended;
        }
        int number = next.fence().attempt();
        if (end != null) {
            store(next, end, null);
            return;
        }
        Optional<ObjectNode> params = run.startAttempt(next.body());
        params.ifPresent(request -> {
            if (number > 1) {
                run.announce(number);
                run.flush();
            }
            ThreadMembers.addTo(request, next, run);
            release(next);
            runs.readState(run, next).ifPresentOrElse(read -> startAfter(read.toCompletableFuture(), next, request),
                    () -> startInWorker(next, request));
        });
    }

    private void startAfter(CompletableFuture<@Nullable JsonRun> read, Attempt next, ObjectNode request) {
        synchronized (this) {
            reading = read;
        }
        read.whenComplete((state, failure) -> startWith(state, failure, next, request));
        if (isStopped()) {
            read.complete(null);
        }
    }

    private void startInWorker(Attempt next, ObjectNode request) {
        runs.startInWorker(this, next, request);
        if (isStopped()) {
            run.cancelWorker();
        }
    }

    /** Starts the run with the state of its thread, unless it was stopped meanwhile. */
    private void startWith(@Nullable JsonRun state, @Nullable Throwable failure, Attempt next, ObjectNode request) {
        Run.End end;
        synchronized (this) {
            reading = null;
            json = state;
            if (failure != null && intended == null) {
                intended = new Run.End(RunStatus.ERROR, RunError.NO_STATE, null);
            }
            end = intended;
        }
        if (end != null) {
            store(next, end, null);
            return;
        }
        if (state != null) {
            state.addTo(request, next.body());
        }
        startInWorker(next, request);
    }

    /** Releases the input, which can be large; another attempt gets the stored one. */
    private synchronized void release(Attempt started) {
        if (attempt == started) {
            attempt = started.withoutInputs();
        }
    }

    private synchronized boolean isStopped() {
        return intended != null;
    }

    /** Cancels the run; a rollback deletes it with its checkpoints. */
    void cancel(CancelAction how) {
        synchronized (this) {
            if (intended == null) {
                action = how;
            }
        }
        stop(RunStatus.INTERRUPTED, RunError.CANCELLED);
    }

    @Override
    public void stop(RunStatus as, RunError error) {
        Attempt current;
        boolean running;
        boolean waits;
        CompletableFuture<@Nullable JsonRun> state;
        Run.End end = new Run.End(as, error, null);
        synchronized (this) {
            if (intended != null) {
                return;
            }
            intended = end;
            current = attempt;
            running = launched;
            waits = queued;
            state = reading;
            launched |= current != null;
        }
        if (state != null) {
            state.complete(null);
        } else if (running) {
            run.cancelWorker();
        } else if (current != null) {
            store(current, end, null);
        } else if (waits) {
            withdraw(end);
        }
    }

    private void withdraw(Run.End end) {
        if (isReleasedBy(end)) {
            runs.forget(this);
            run.finish(end);
        } else {
            runs.withdraw(this, owner, rollsBack(end) ? CancelAction.ROLLBACK : CancelAction.INTERRUPT)
                    .whenComplete((ignored, failure) -> recorder.finish(end, failure));
        }
    }

    @Override
    public boolean isReleasedBy(Run.End end) {
        return detached && RunError.STOPPED.equals(end.error());
    }

    private synchronized boolean rollsBack(Run.End end) {
        return action == CancelAction.ROLLBACK && end.status() == RunStatus.INTERRUPTED;
    }

    /** Ends a pending run that was cancelled or deleted in the storage. */
    void withdrawn() {
        synchronized (this) {
            queued = false;
        }
        run.finish(new Run.End(RunStatus.INTERRUPTED, RunError.CANCELLED, null));
    }

    /** Ends the execution of a run that was deleted in the storage. */
    void deleted() {
        if (isQueued()) {
            runs.forget(this);
            withdrawn();
        } else {
            stop(RunStatus.ERROR, RunError.LOST);
        }
    }

    @Override
    public void event(String mode, String namespace, byte[] json, int cost) {
        run.event(mode, namespace, json, cost);
    }

    @Override
    public void values(String namespace, byte[] json, byte[] checkpoint, int cost) {
        run.values(namespace, json, checkpoint, cost);
    }

    @Override
    public void omitted(String mode, String namespace, int cost) {
        run.omitted(mode, namespace, cost);
    }

    @Override
    public void flush() {
        run.flush();
    }

    @Override
    public void step(Step step) {
        run.step(step);
    }

    @Override
    public void ended(Outcome outcome) {
        JsonRun state = state();
        if (state != null) {
            state.sendInterrupts(outcome, run);
        }
        Run.End end = run.endOf(state == null ? outcome : state.result(outcome));
        run.flush();
        synchronized (this) {
            // The reason of a cancellation is kept; an attempt whose worker died may be repeated.
            if (intended == null && !repeats(outcome)) {
                intended = end;
            }
        }
    }

    private synchronized @Nullable JsonRun state() {
        return json;
    }

    private boolean repeats(Outcome outcome) {
        return detached && attempt != null && attempt.fence().attempt() < MAX_ATTEMPTS
                && outcome instanceof Outcome.Failed failed && failed.error().equals(WORKER_DIED);
    }

    @Override
    public void released(Outcome outcome) {
        run.detachWorker();
        JsonRun state = state();
        Outcome result = state == null ? outcome : state.result(outcome);
        Attempt ended;
        Run.End end;
        synchronized (this) {
            ended = attempt;
            end = intended;
            if (end == null) {
                attempt = null;
                launched = false;
                // Another attempt reads the state again, for which this one must not use memory.
                json = null;
            }
        }
        if (ended == null) {
            return;
        }
        if (end == null) {
            runs.repeat(this, ended.fence());
        } else {
            store(ended, end, switch (result) {
                case Outcome.Completed completed -> completed.state();
                case Outcome.Failed failed -> failed.state();
                case Outcome.Cancelled cancelled -> cancelled.state();
            });
        }
    }

    private void store(Attempt ended, Run.End end, @Nullable JsonNode state) {
        recorder.end(end, () -> isReleasedBy(end)
                ? runs.release(this, ended.fence())
                : runs.end(this, ended.fence(), rollsBack(end) ? RunEnd.rolledBack() : result(ended, end, state)));
    }

    private synchronized RunEnd result(Attempt ended, Run.End end, @Nullable JsonNode state) {
        RunEnd result = ThreadResults.of(end, state, ended.thread());
        NewCheckpoint checkpoint = json == null || state == null ? null : json.checkpoint();
        return checkpoint == null ? result : result.with(List.of(checkpoint));
    }

    /** Ends the run for its clients, because its attempt could not be stored. */
    void lose(Throwable failure) {
        recorder.lose(failure);
    }

    /** Stores the events of the run while clients of other replicas follow it. */
    void relay(boolean followed) {
        Attempt current;
        synchronized (this) {
            current = launched ? attempt : null;
        }
        recorder.relay(followed, current == null ? null : current.fence());
    }
}
