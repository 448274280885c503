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
import dev.waybill.runtime.protocol.Step;
import dev.waybill.runtime.tracing.RunTrace;
import dev.waybill.runtime.worker.Outcome;
import dev.waybill.runtime.worker.RunHandle;
import dev.waybill.runtime.worker.RunSink;

/**
 * A run: where it stands, its events, and its worker's side. The worker's thread, event loops and timers all come here; the
 * lock is never held while anything else is called.
 */
public final class Run implements RunSink {

    private final UUID id;
    private final Assistant assistant;
    private final String principal;
    private final EventLog log;
    private final RunEvents events;
    private final RunTrace trace;
    private final Clock clock;
    private final Instant createdAt;
    private final List<Consumer<End>> listeners = new ArrayList<>();
    private volatile CreateRunRequest request;
    private RunStatus status = RunStatus.PENDING;
    private Instant updatedAt;
    private @Nullable End end;
    private boolean keepsValues;
    private boolean needsValues;
    private byte @Nullable [] values;
    private @Nullable RunHandle worker;
    private int unreturned;

    /**
     * How it ended.
     *
     * @param values the graph's last values; null unless it went through
     */
    public record End(RunStatus status, @Nullable RunError error, @Nullable JsonNode values) {
    }

    /** Whose run it is, and when it was asked for. */
    record Origin(UUID id, Assistant assistant, String principal) {
    }

    Run(Origin origin, CreateRunRequest request, EventLog log, RunTrace trace, Clock clock) {
        this.id = origin.id();
        this.assistant = origin.assistant();
        this.principal = origin.principal();
        this.request = request;
        this.log = log;
        this.trace = trace;
        this.clock = clock;
        this.createdAt = clock.instant();
        this.updatedAt = createdAt;
        this.events = new RunEvents(log, request.modes());
        this.keepsValues = request.resumable();
        this.needsValues = keepsValues || request.webhook() != null || trace.takesOutputs()
                || events.include(StreamMode.VALUES);
    }

    public UUID id() {
        return id;
    }

    Assistant assistant() {
        return assistant;
    }

    String principal() {
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

    /** The run's address, which clients find it by. */
    public String path() {
        return "/runs/" + id;
    }

    public synchronized RunStatus status() {
        return status;
    }

    public synchronized RunResponse response() {
        return new RunResponse(id, id, assistant.id(), status, createdAt, updatedAt, metadata(),
                end == null ? null : end.error());
    }

    /** Its last values will be asked for at its end; to be said before it begins. */
    public synchronized void needValues() {
        needsValues = true;
    }

    /**
     * From now on its last values are kept for who asks for them after its end; false when it has gone through without, or has
     * begun as one whose values nobody asks for.
     */
    public synchronized boolean keepValues() {
        needsValues |= status == RunStatus.PENDING;
        keepsValues |= needsValues;
        return end == null ? needsValues : end.error() != null || values != null;
    }

    /** How much memory it takes once it has ended. */
    long keptBytes() {
        ObjectNode metadata = request.metadata();
        long ofMetadata = metadata == null ? 0 : Json.bytes(metadata).length;
        synchronized (this) {
            return log.bytes() + ofMetadata + (values == null ? 0 : values.length);
        }
    }

    /** What its caller was told of it when it was new. */
    public RunResponse created() {
        return new RunResponse(id, id, assistant.id(), RunStatus.PENDING, createdAt, createdAt, metadata(), null);
    }

    private ObjectNode metadata() {
        ObjectNode metadata = request.metadata();
        return metadata == null ? JsonNodeFactory.instance.objectNode() : metadata;
    }

    /** Calls back when it has ended, at once when it has: then with its values only if they were kept. */
    public void whenEnded(Consumer<End> listener) {
        End already;
        synchronized (this) {
            already = end == null || values == null ? end : new End(end.status(), null, Json.parse(values));
            if (already == null) {
                listeners.add(listener);
            }
        }
        if (already != null) {
            listener.accept(already);
        }
    }

    /**
     * The first event: that there is such a run. Not before its reader is there, who else would miss it, and looks by itself.
     */
    void announce() {
        events.announce(id);
    }

    /** It is to start now; what its worker is told, or nothing when it has ended before. */
    synchronized Optional<ObjectNode> begin() {
        if (!status.mayBecome(RunStatus.RUNNING)) {
            return Optional.empty();
        }
        status = RunStatus.RUNNING;
        updatedAt = clock.instant();
        trace.begun(updatedAt);
        ObjectNode told = request.forWorker(trace.stepBytes(), needsValues);
        request = request.withoutWork();
        return Optional.of(told);
    }

    /** Whether it has gone on for longer than that. */
    synchronized boolean isRunningSince(Instant when) {
        return status == RunStatus.RUNNING && updatedAt.isBefore(when);
    }

    /** This is its worker's side. */
    void runsIn(RunHandle handle) {
        int owed;
        boolean over;
        synchronized (this) {
            over = status.isFinal();
            worker = over ? null : handle;
            owed = unreturned;
            unreturned = 0;
        }
        if (over) {
            handle.cancel();
        } else if (owed > 0) {
            handle.consumed(owed);
        }
    }

    /** Readers have taken events that cost so much. */
    public void consumed(int cost) {
        RunHandle handle;
        synchronized (this) {
            handle = worker;
            unreturned += handle == null ? cost : 0;
        }
        if (handle != null && cost > 0) {
            handle.consumed(cost);
        }
    }

    /** Ends it from this side; false when it had ended. */
    boolean stop(RunStatus as, RunError error) {
        boolean stopped = finish(new End(as, error, null));
        RunHandle handle = stopped ? letGo() : null;
        if (handle != null) {
            handle.cancel();
        }
        return stopped;
    }

    /** An ended run is kept for a while, and its worker's side need not be. */
    private synchronized @Nullable RunHandle letGo() {
        RunHandle handle = worker;
        worker = null;
        return handle;
    }

    @Override
    public void event(String mode, String namespace, byte[] json, int cost) {
        consumed(events.add(mode, namespace, json, cost));
    }

    @Override
    public void caughtUp() {
        log.wake();
    }

    @Override
    public void step(Step step) {
        trace.step(step);
    }

    @Override
    public void ended(Outcome outcome) {
        events.completeMessages();
        finish(switch (outcome) {
            case Outcome.Completed completed -> new End(RunStatus.SUCCESS, null, completed.values());
            case Outcome.Failed failed -> new End(RunStatus.ERROR, new RunError(failed.error(), failed.message()), null);
            case Outcome.Cancelled ignored -> new End(RunStatus.INTERRUPTED, RunErrors.CANCELLED, null);
        });
        letGo();
    }

    private static JsonNode orNull(@Nullable JsonNode values) {
        return values == null || values.isMissingNode() ? NullNode.getInstance() : values;
    }

    private boolean finish(End how) {
        List<Consumer<End>> told;
        synchronized (this) {
            if (status.isFinal()) {
                return false;
            }
            // A worker that answers before it is known to have begun has been fast, no more.
            status = how.status();
            updatedAt = clock.instant();
            end = new End(how.status(), how.error(), null);
            values = keepsValues && how.error() == null ? Json.bytes(orNull(how.values())) : null;
            request = request.withoutWork();
            told = List.copyOf(listeners);
            listeners.clear();
        }
        events.end(how.error());
        log.wake();
        told.forEach(listener -> listener.accept(how));
        return true;
    }
}
