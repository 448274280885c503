package dev.waybill.runtime.run;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.assistant.Assistant;
import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.event.StreamMode;
import dev.waybill.runtime.protocol.Message.Step;
import dev.waybill.runtime.tracing.RunTrace;
import dev.waybill.runtime.worker.RunSink;
import dev.waybill.runtime.worker.RunSink.Outcome;
import dev.waybill.runtime.worker.Workers.RunHandle;

/**
 * A run: its status, its events and the handle of its worker. Called by the worker's thread, event loops and timers; never
 * calls other objects while it holds its lock.
 */
public final class Run implements RunSink {

    private final UUID id;
    private final @Nullable UUID thread;
    private final Assistant assistant;
    private final String principal;
    private final EventLog log;
    private final RunEventWriter events;
    private final RunTrace trace;
    private final Clock clock;
    private final Instant createdAt;
    private final List<Consumer<End>> listeners = new ArrayList<>();
    private final AttachedWorker worker = new AttachedWorker();
    private final long inputBytes;
    private volatile CreateRunRequest request;
    private RunStatus status = RunStatus.PENDING;
    private Instant updatedAt;
    private @Nullable End end;
    private boolean retainsValues;
    private boolean needsValues;
    private byte @Nullable [] values;
    private volatile @Nullable Execution execution;

    /**
     * Result of a run.
     *
     * @param values final values of the graph; null unless the run succeeded
     */
    public record End(RunStatus status, @Nullable RunError error, @Nullable JsonNode values) {
    }

    /** Identity of a run and its owner; the thread is null for a run without one. */
    record Origin(UUID id, Assistant assistant, String principal, @Nullable UUID thread) {

        Origin(UUID id, Assistant assistant, String principal) {
            this(id, assistant, principal, null);
        }
    }

    /** Starts and ends a run on a thread, whose result is stored before the run ends for its clients. */
    interface Execution {

        /** Starts the run as soon as its thread has no other running one. */
        void start();

        /** Ends the run and cancels it in its worker; it ends for its clients when that is stored. */
        void stop(RunStatus as, RunError error);

        /** Returns whether the run ends for its clients here only, and another replica executes it again. */
        boolean isReleasedBy(End end);
    }

    Run(Origin origin, CreateRunRequest request, EventLog log, RunTrace trace, Clock clock) {
        this.id = origin.id();
        this.thread = origin.thread();
        this.assistant = origin.assistant();
        this.principal = origin.principal();
        this.request = request;
        this.inputBytes = request.inputBytes();
        this.log = log;
        this.trace = trace;
        this.clock = clock;
        this.createdAt = clock.instant();
        this.updatedAt = createdAt;
        this.events = new RunEventWriter(log, request.modes());
        this.retainsValues = request.resumable();
        this.needsValues = retainsValues || request.webhook() != null || trace.needsOutputs()
                || events.include(StreamMode.VALUES);
    }

    public UUID id() {
        return id;
    }

    Assistant assistant() {
        return assistant;
    }

    /** Returns the name of the graph. */
    public String graphId() {
        return assistant.graphId();
    }

    public Instant createdAt() {
        return createdAt;
    }

    public String principal() {
        return principal;
    }

    public CreateRunRequest request() {
        return request;
    }

    public EventLog log() {
        return log;
    }

    RunTrace trace() {
        return trace;
    }

    /** Returns the path of the run. */
    public String path() {
        return thread == null ? "/runs/" + id : "/threads/" + thread + "/runs/" + id;
    }

    /** Returns the thread; that of a run without one has the id of the run. */
    UUID thread() {
        return thread == null ? id : thread;
    }

    /** Sets the execution of a run on a thread. */
    void executeBy(Execution thread) {
        execution = thread;
    }

    /** Returns the execution of a run on a thread; null for a run without one. */
    @Nullable
    Execution execution() {
        return execution;
    }

    public synchronized RunStatus status() {
        return status;
    }

    public synchronized RunResponse response() {
        return response(status, updatedAt, end == null ? null : end.error());
    }

    /** Requests the final values from the worker; must be called before the run starts. */
    public synchronized void requireValues() {
        needsValues = true;
    }

    /**
     * Retains the final values after the end of the run. Returns false if they are not available: the run has ended without
     * them, or the worker was started without requesting them.
     */
    public synchronized boolean retainValues() {
        needsValues |= status == RunStatus.PENDING;
        retainsValues |= needsValues;
        return end == null ? needsValues : end.error() != null || values != null;
    }

    /** Returns the size of the inputs, which the run retains until it starts. */
    synchronized long waitingBytes() {
        return status == RunStatus.PENDING ? inputBytes : 0;
    }

    /** Returns the size of the run's data that is retained after its end. */
    long retainedBytes() {
        ObjectNode metadata = request.metadata();
        long ofMetadata = metadata == null ? 0 : Json.bytes(metadata).length;
        synchronized (this) {
            return log.bytes() + ofMetadata + (values == null ? 0 : values.length);
        }
    }

    /** Returns the response to the request that created the run. */
    public RunResponse createdResponse() {
        return response(RunStatus.PENDING, createdAt, null);
    }

    private RunResponse response(RunStatus as, Instant updated, @Nullable RunError error) {
        return new RunResponse(id, thread(), assistant.id(), as, createdAt, updated, metadata(), error,
                thread == null ? null : request.strategy());
    }

    private ObjectNode metadata() {
        ObjectNode metadata = request.metadata();
        return metadata == null ? JsonNodeFactory.instance.objectNode() : metadata;
    }

    /** Calls the listener at the end of the run; immediately, and with retained values only, if it has ended. */
    public void onEnd(Consumer<End> listener) {
        End result;
        synchronized (this) {
            result = end == null || values == null ? end : new End(end.status(), null, Json.parse(values));
            if (result == null) {
                listeners.add(listener);
            }
        }
        if (result != null) {
            listener.accept(result);
        }
    }

    /**
     * Appends the first event. Must be called after the reader of the stream was added, which would miss the event otherwise.
     */
    void announce() {
        announce(1);
    }

    /** Appends the first event of an attempt. */
    void announce(int attempt) {
        events.announce(id, attempt);
    }

    /** Marks the run as running; returns the parameters for its worker, or empty if the run has already ended. */
    synchronized Optional<ObjectNode> start() {
        if (!status.canBecome(RunStatus.RUNNING)) {
            return Optional.empty();
        }
        status = RunStatus.RUNNING;
        updatedAt = clock.instant();
        trace.started(updatedAt);
        ObjectNode params = request.workerRequest(trace.stepBytes(), needsValues);
        request = request.withoutInputs();
        return Optional.of(params);
    }

    /** Starts the first or another attempt; returns the parameters for its worker, or empty if the run has ended. */
    synchronized Optional<ObjectNode> startAttempt(CreateRunRequest original) {
        if (status != RunStatus.RUNNING) {
            return start();
        }
        updatedAt = clock.instant();
        return Optional.of(original.workerRequest(trace.stepBytes(), needsValues));
    }

    /** Returns whether the run has been running since before that time. */
    synchronized boolean isRunningSince(Instant when) {
        return status == RunStatus.RUNNING && updatedAt.isBefore(when);
    }

    /** Sets the handle of the run in its worker, where it is cancelled if it has ended already. */
    void attachWorker(RunHandle handle) {
        worker.attach(handle);
        if (status().isFinal()) {
            worker.cancel();
        }
    }

    /** Releases the credit of events that readers have consumed. */
    public void releaseCredit(int cost) {
        worker.releaseCredit(cost);
    }

    /** Returns whether the run has ended for its clients here only, and another replica executes it again. */
    public boolean isReleased() {
        Execution stored = execution;
        End result = end();
        return stored != null && result != null && stored.isReleasedBy(result);
    }

    /** Returns whether the run has ended here only because this replica does not know its end; the storage may have another. */
    public boolean isLost() {
        End result = end();
        return result != null && RunError.LOST.equals(result.error());
    }

    /** Returns whether only the storage has the end of the run: it was released to another replica, or lost. */
    boolean endsElsewhere() {
        return isReleased() || isLost();
    }

    private synchronized @Nullable End end() {
        return end;
    }

    /** Ends the run and cancels it in its worker. */
    void stop(RunStatus as, RunError error) {
        Execution stored = execution;
        if (stored != null) {
            stored.stop(as, error);
        } else if (finish(new End(as, error, null))) {
            cancelWorker();
        }
    }

    /** Cancels the run in its worker, if it was started there. */
    void cancelWorker() {
        worker.cancel();
    }

    /** Releases the worker's handle, which must not be retained with an ended run. */
    void detachWorker() {
        worker.detach();
    }

    @Override
    public void event(String mode, String namespace, byte[] json, int cost) {
        releaseCredit(events.add(mode, namespace, json, cost));
    }

    @Override
    public void values(String namespace, byte[] json, byte[] checkpoint, int cost) {
        releaseCredit(events.addValues(namespace, json, checkpoint, cost));
    }

    @Override
    public void omitted(String mode, String namespace, int cost) {
        releaseCredit(events.omit(mode, namespace, cost));
    }

    @Override
    public void flush() {
        log.notifyReaders();
    }

    @Override
    public void step(Step step) {
        trace.step(step);
    }

    @Override
    public void ended(Outcome outcome) {
        finish(endOf(outcome));
        detachWorker();
    }

    /** Completes the events and returns the end of the run. */
    End endOf(Outcome outcome) {
        events.completeMessages();
        return switch (outcome) {
            case Outcome.Completed completed -> new End(RunStatus.SUCCESS, null, completed.values());
            case Outcome.Failed failed -> new End(RunStatus.ERROR, new RunError(failed.error(), failed.message()), null);
            case Outcome.Cancelled ignored -> new End(RunStatus.INTERRUPTED, RunError.CANCELLED, null);
        };
    }

    private static JsonNode orNull(@Nullable JsonNode values) {
        return values == null || values.isMissingNode() ? NullNode.getInstance() : values;
    }

    /** Ends the run for its clients; returns false if it had already ended. */
    boolean finish(End result) {
        List<Consumer<End>> notified;
        synchronized (this) {
            if (status.isFinal()) {
                return false;
            }
            // The status may still be PENDING: a fast worker responds before the run is marked as running.
            status = result.status();
            updatedAt = clock.instant();
            end = new End(result.status(), result.error(), null);
            values = retainsValues && result.error() == null ? Json.bytes(orNull(result.values())) : null;
            request = request.withoutInputs();
            notified = List.copyOf(listeners);
            listeners.clear();
        }
        events.end(result.error(), result.values());
        log.notifyReaders();
        notified.forEach(listener -> listener.accept(result));
        return true;
    }
}
