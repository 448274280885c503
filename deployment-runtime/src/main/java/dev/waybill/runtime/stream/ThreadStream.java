package dev.waybill.runtime.stream;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.FollowedRuns;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunError;
import dev.waybill.runtime.run.RunResponse;
import dev.waybill.runtime.run.RunStatus;
import dev.waybill.runtime.run.StoredThreadRuns;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.run.ThreadSnapshot;
import dev.waybill.runtime.run.ThreadWatches;
import dev.waybill.runtime.stream.StateUpdates.Page;
import dev.waybill.runtime.stream.ThreadRunSource.Remote.Part;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/**
 * Streams all runs of a thread, one after the other, until the client disconnects. A run of this replica is known before its
 * first event; those of other replicas are found in the storage (docs/decisions/0196).
 */
final class ThreadStream extends RemoteRunStream implements ThreadWatches.Watch {

    static final int LISTED = 100;
    private static final int MAX_SEEN = 1_000;
    private static final long FROM_START = -1;
    private static final long FROM_NOW = Long.MAX_VALUE;
    private static final long MIN_WAIT_MILLIS = 1_000;
    private static final long MAX_WAIT_MILLIS = 5_000;

    private final CallerThread thread;
    private final ThreadPosition position;
    private final ThreadView view;
    private final Dependencies dependencies;
    private final ThreadEventSink sink;
    private final ThreadRunQueue queue = new ThreadRunQueue();
    private final Set<UUID> seen = new LinkedHashSet<>();
    private final AtomicBoolean sendScheduled = new AtomicBoolean();
    private @Nullable Instant since;
    private final StateUpdates states;
    private @Nullable UUID newestSuccess;
    private long waitMillis = MIN_WAIT_MILLIS;
    private @Nullable Future<?> listing;
    /** Runs that had started before the list that is being read. */
    private Set<UUID> startedBefore = Set.of();
    private boolean listAgain;
    private long timers;

    /** Collaborators of the streams. */
    record Dependencies(StoredThreadRuns runs, FollowedRuns followed, ThreadWatches watches) {
    }

    ThreadStream(CallerThread thread, ThreadPosition position, ThreadView view, Dependencies dependencies,
            StreamConnection client, Consumer<ResponseStream> onClose) {
        super(client, EventStream.HEARTBEAT, onClose);
        this.thread = thread;
        this.position = position;
        this.view = view;
        this.dependencies = dependencies;
        this.sink = view.sink(client, this::send);
        this.states = new StateUpdates(dependencies.runs(), thread);
    }

    @Override
    public void start() {
        HttpServerResponse head = client().head("text/event-stream", view.path(thread.id())).putHeader("X-Accel-Buffering",
                "no");
        String location = view.location(thread.id());
        if (location != null) {
            head.putHeader("Location", location);
        }
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
        queue.close();
    }

    @Override
    public void started(Run run) {
        // A thread that was deleted may have been created again by another owner.
        if (ThreadOwner.of(run.principal()).equals(thread.owner())) {
            ThreadRunSource source = new ThreadRunSource.Local(run, log -> open(log, FROM_START), false,
                    after -> rest(run, after));
            client().run(() -> {
                add(source);
                send();
            });
        }
    }

    @Override
    public void updated() {
        client().run(this::list);
    }

    @Override
    public void stop() {
        client().run(() -> {
            queue.listed(queue.started());
            send();
            finish(Buffer.buffer());
        });
    }

    /** Reads the list of runs, at once or when the current read has ended. */
    private void list() {
        if (isClosed() || listing != null) {
            listAgain = true;
            return;
        }
        listAgain = false;
        startedBefore = queue.started();
        CompletableFuture<Page> pending = read().subscribeAsCompletionStage();
        listing = pending;
        pending.whenComplete((page, failure) -> client().run(() -> {
            listing = null;
            if (isClosed()) {
                return;
            }
            if (failure == null) {
                add(page);
            } else if (FollowedRunReader.isMissing(failure)) {
                finish(error(new RunError("ThreadDeleted", "The thread " + thread.id() + " was deleted.")));
                return;
            }
            queue.listed(startedBefore);
            listLater();
            send();
        }));
    }

    private void listLater() {
        if (listAgain) {
            list();
            return;
        }
        long timer = ++timers;
        client().runAfter(waitMillis, () -> {
            // Another list was read meanwhile.
            if (timer == timers) {
                list();
            }
        });
        waitMillis = Math.min(MAX_WAIT_MILLIS, waitMillis * 2);
    }

    /** A state that cannot be sent is not read. */
    private Uni<Page> read() {
        Uni<List<RunResponse>> runs = dependencies.runs().list(thread, null, LISTED, 0);
        return view.includesStates() && !sink.isFull() ? states.read(runs)
                : runs.map(listed -> new Page(listed, null));
    }

    /** Adds the runs that the client has not seen, oldest first. */
    private void add(Page page) {
        newestSuccess = page.runs().stream().filter(run -> run.status() == RunStatus.SUCCESS)
                .max(Comparator.comparing(RunResponse::updatedAt)).map(RunResponse::runId).orElse(null);
        Instant first = since;
        if (first == null) {
            since = begin(page.runs());
            addFirst(page.runs());
        } else {
            // After deletions, the page also has runs that had ended before the stream.
            page.runs().reversed().stream().filter(run -> !run.createdAt().isBefore(first))
                    .forEach(run -> add(run, FROM_START));
        }
        queue.order(page.runs());
        StateUpdates.State state = page.state();
        if (state != null && !isClosed()) {
            states.known(state);
            if (state.updated() != null) {
                send(state.updated());
            }
        }
    }

    private void send(ThreadSnapshot updated) {
        sink.updated(Json.bytes(JsonNodeFactory.instance.objectNode().put("thread_id", thread.id().toString())
                .set("state", updated.state())));
    }

    /** Returns the creation of the first run to stream: another replica may start a pending run later than newer ones. */
    private static Instant begin(List<RunResponse> newestFirst) {
        return newestFirst.reversed().stream().filter(run -> run.status() == RunStatus.PENDING).findFirst()
                .or(() -> newestFirst.stream().findFirst())
                .map(RunResponse::createdAt).orElse(Instant.MIN);
    }

    private void addFirst(List<RunResponse> newestFirst) {
        boolean isNew = false;
        for (int i = newestFirst.size() - 1; i >= 0; i--) {
            RunResponse run = newestFirst.get(i);
            RunResponse next = i == 0 ? null : newestFirst.get(i - 1);
            if (position.isAfterEventOf(run.runId())) {
                isNew = true;
                add(run, position.number(), true);
            } else if (isNew) {
                add(run, FROM_START, run.status() != RunStatus.PENDING);
            } else if (position.includesEnded(run, next)) {
                add(run, FROM_START);
            } else if (run.status().isFinal()) {
                seen.add(run.runId());
            } else {
                add(run, position.fromRetained() || run.status() == RunStatus.PENDING ? FROM_START : FROM_NOW);
            }
        }
    }

    private void add(RunResponse run, long after) {
        add(run, after, false);
    }

    /**
     * @param after number of the last event that the client has received
     * @param needsAll whether the client must receive all events after that one, or an error
     */
    private void add(RunResponse run, long after, boolean needsAll) {
        UUID id = run.runId();
        if (seen.contains(id)) {
            return;
        }
        Optional<Run> local = dependencies.watches().local(run);
        if (local.isPresent()) {
            ThreadRunSource.Local source = new ThreadRunSource.Local(local.get(), log -> open(log, after),
                    after == FROM_START && run.status() == RunStatus.PENDING, last -> rest(local.get(), last));
            if (after >= 0 && after < FROM_NOW && source.isCompleteBefore(after)) {
                source.close();
                seen.add(id);
            } else if (needsAll && source.misses(after)) {
                source.close();
                finish(error(new RunError("EventsGone", "Events after the last one that was received are no longer retained."
                        + " Read the state of the thread, and stream it from now on.")));
            } else {
                add(source);
            }
        } else if (run.status() != RunStatus.PENDING) {
            Part part = !run.status().isFinal() ? Part.ACTIVE
                    : id.equals(newestSuccess) ? Part.WITH_VALUES : Part.WITHOUT_VALUES;
            add(remote(run, after == FROM_NOW ? FROM_START : after, part));
        }
        if (run.status() != RunStatus.PENDING) {
            queue.listed(Set.of(id));
        }
    }

    /** Returns the events of a lost run after a number: those of its next attempt. */
    private ThreadRunSource.Remote rest(Run lost, long after) {
        return remote(lost.createdResponse(), after, Part.REST);
    }

    private ThreadRunSource.Remote remote(RunResponse run, long after, Part part) {
        return new ThreadRunSource.Remote(dependencies.followed(), thread, run, after, part, client(), sink,
                this::scheduleSend);
    }

    private EventLog.Cursor open(EventLog log, long after) {
        return log.observe(after == FROM_NOW ? FROM_NOW : after + 1, this::scheduleSend);
    }

    private void add(ThreadRunSource source) {
        if (isClosed() || !seen.add(source.id())) {
            source.close();
            return;
        }
        if (seen.size() > MAX_SEEN) {
            seen.remove(seen.iterator().next());
        }
        queue.add(source);
        waitMillis = MIN_WAIT_MILLIS;
    }

    private void scheduleSend() {
        if (sendScheduled.compareAndSet(false, true)) {
            client().run(() -> {
                sendScheduled.set(false);
                send();
            });
        }
    }

    private void send() {
        if (isClosed()) {
            return;
        }
        switch (queue.send(sink)) {
            case LIST -> {
                if (listing == null || !startedBefore.containsAll(queue.started())) {
                    list();
                }
            }
            case EVENT_LOOP -> scheduleSend();
            case EVENTS -> {
                // They call this method.
            }
        }
    }
}
