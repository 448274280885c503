package dev.waybill.runtime.stream;

import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.run.FollowedRuns;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunError;
import dev.waybill.runtime.run.RunResponse;
import dev.waybill.runtime.run.RunStatus;
import dev.waybill.runtime.run.ThreadRunService;
import dev.waybill.runtime.run.ThreadRunService.CallerThread;
import dev.waybill.runtime.run.ThreadWatches;
import io.vertx.core.buffer.Buffer;

/**
 * Streams all runs of a thread, one after the other, until the client disconnects. A run of this replica is known before its
 * first event; those of other replicas are found in the storage (docs/decisions/0196).
 */
final class ThreadStream extends RemoteRunStream implements ThreadWatches.Watch {

    private static final int LISTED = 100;
    private static final int MAX_SEEN = 1_000;
    private static final long FROM_START = -1;
    private static final long FROM_NOW = Long.MAX_VALUE;
    private static final long MIN_WAIT_MILLIS = 1_000;
    private static final long MAX_WAIT_MILLIS = 5_000;

    private final CallerThread thread;
    private final ThreadPosition position;
    private final Set<ThreadStreamMode> modes;
    private final Dependencies dependencies;
    private final ThreadEventWriter writer;
    private final Map<UUID, ThreadRunSource> sources = new LinkedHashMap<>();
    private final Set<UUID> seen = new LinkedHashSet<>();
    private final AtomicBoolean sendScheduled = new AtomicBoolean();
    private @Nullable Instant since;
    private long waitMillis = MIN_WAIT_MILLIS;
    private @Nullable Future<?> listing;

    /** Collaborators of the streams. */
    record Dependencies(ThreadRunService runs, FollowedRuns followed, ThreadWatches watches) {
    }

    ThreadStream(CallerThread thread, ThreadPosition position, Set<ThreadStreamMode> modes, Dependencies dependencies,
            StreamConnection client, Consumer<ResponseStream> onClose) {
        super(client, EventStream.HEARTBEAT, onClose);
        this.thread = thread;
        this.position = position;
        this.modes = modes;
        this.dependencies = dependencies;
        this.writer = new ThreadEventWriter(client, modes, this::send);
    }

    @Override
    public void start() {
        String path = "/threads/" + thread.id() + "/stream";
        client().head("text/event-stream", path).putHeader("X-Accel-Buffering", "no")
                .putHeader("Location", path + "?" + ThreadStreamMode.query(modes));
        // Clients learn that the stream is open, although the thread may have no events for a long time.
        client().write(Buffer.buffer(EventStream.HEARTBEAT));
        dependencies.watches().add(thread.id(), this);
        list();
    }

    @Override
    Buffer refusal(String reason) {
        return error(RunError.accessRefused(reason));
    }

    @Override
    void cancel() {
        dependencies.watches().remove(thread.id(), this);
        Future<?> pending = listing;
        if (pending != null) {
            pending.cancel(false);
        }
        sources.values().forEach(ThreadRunSource::close);
        sources.clear();
    }

    @Override
    public void started(Run run) {
        // A thread that was deleted may have been created again by another owner.
        if (ThreadOwner.of(run.principal()).equals(thread.owner())) {
            ThreadRunSource source = new ThreadRunSource.Local(run, log -> open(log, FROM_START), false);
            client().run(() -> add(source));
        }
    }

    @Override
    public void stop() {
        client().run(() -> {
            send();
            finish(Buffer.buffer());
        });
    }

    private void list() {
        if (isClosed()) {
            return;
        }
        CompletableFuture<List<RunResponse>> pending = dependencies.runs().list(thread, null, LISTED, 0)
                .subscribeAsCompletionStage();
        listing = pending;
        pending.whenComplete((runs, failure) -> client().run(() -> {
            if (isClosed()) {
                return;
            }
            if (failure == null) {
                add(runs);
            } else if (isMissing(failure)) {
                finish(error(new RunError("ThreadDeleted", "The thread " + thread.id() + " was deleted.")));
                return;
            }
            client().runAfter(waitMillis, this::list);
            waitMillis = Math.min(MAX_WAIT_MILLIS, waitMillis * 2);
        }));
    }

    private static boolean isMissing(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof ProblemException problem && problem.type() == CommonProblem.NOT_FOUND;
    }

    /** Adds the runs that the client has not seen, oldest first. */
    private void add(List<RunResponse> newestFirst) {
        Instant first = since;
        if (first == null) {
            since = begin(newestFirst);
            addFirst(newestFirst.reversed());
        } else {
            // After deletions, the page also has runs that had ended before the stream.
            newestFirst.reversed().stream().filter(run -> !run.createdAt().isBefore(first))
                    .forEach(run -> add(run, FROM_START));
        }
        send();
    }

    /** Returns the creation of the first run to stream: another replica may start a pending run later than newer ones. */
    private static Instant begin(List<RunResponse> newestFirst) {
        return newestFirst.reversed().stream().filter(run -> run.status() == RunStatus.PENDING).findFirst()
                .or(() -> newestFirst.stream().findFirst())
                .map(RunResponse::createdAt).orElse(Instant.MIN);
    }

    private void addFirst(List<RunResponse> oldestFirst) {
        boolean isNew = false;
        for (RunResponse run : oldestFirst) {
            if (position.isAfterEventOf(run.runId())) {
                isNew = true;
                add(run, position.number());
            } else if (isNew) {
                add(run, FROM_START);
            } else if (run.status().isFinal()) {
                seen.add(run.runId());
            } else {
                add(run, position.fromRetained() || run.status() == RunStatus.PENDING ? FROM_START : FROM_NOW);
            }
        }
    }

    /** @param after number of the last event that the client has received */
    private void add(RunResponse run, long after) {
        UUID id = run.runId();
        if (seen.contains(id)) {
            return;
        }
        Optional<Run> local = dependencies.watches().local(run);
        if (local.isPresent()) {
            ThreadRunSource.Local source = new ThreadRunSource.Local(local.get(), log -> open(log, after),
                    after == FROM_START && run.status() == RunStatus.PENDING);
            if (after >= 0 && after < FROM_NOW && source.isCompleteBefore(after)) {
                source.close();
                seen.add(id);
            } else {
                add(source);
            }
        } else if (run.status() != RunStatus.PENDING) {
            add(new ThreadRunSource.Remote(dependencies.followed(), thread, id, after == FROM_NOW ? FROM_START : after,
                    client(),
                    writer, this::scheduleSend));
        }
    }

    private EventLog.Cursor open(EventLog log, long after) {
        return after == FROM_NOW ? log.openAtEnd(this::scheduleSend)
                : log.open(after + 1, this::scheduleSend).orElseGet(() -> log.openAtStart(this::scheduleSend));
    }

    private void add(ThreadRunSource source) {
        if (isClosed() || !seen.add(source.id())) {
            source.close();
            return;
        }
        if (seen.size() > MAX_SEEN) {
            seen.remove(seen.iterator().next());
        }
        sources.put(source.id(), source);
        waitMillis = MIN_WAIT_MILLIS;
        send();
    }

    private void scheduleSend() {
        if (sendScheduled.compareAndSet(false, true)) {
            client().run(() -> {
                sendScheduled.set(false);
                send();
            });
        }
    }

    /** Sends the events of the runs one after the other; pending ones must not block those that start before them. */
    private void send() {
        Iterator<ThreadRunSource> waiting = sources.values().iterator();
        while (waiting.hasNext()) {
            ThreadRunSource source = waiting.next();
            if (source.hasStarted()) {
                if (!source.send(writer)) {
                    return;
                }
                waiting.remove();
                source.close();
            }
        }
    }
}
