package dev.waybill.runtime.run;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.ThreadMembers.Fork;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.Deletion;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.RunFilter;
import dev.waybill.runtime.storage.RunStorage.RunSelection;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.smallrye.mutiny.Uni;

/** Runs on threads for their owners: creation, lookup, cancellation and deletion. */
@Singleton
public class ThreadRunService {

    private static final String NO_OBJECT = "{}";
    private static final Duration FORK_INTERVAL = Duration.ofMillis(50);
    /** Attempts to find a checkpoint that the active run of a thread stores, for two seconds. */
    private static final int FORK_ATTEMPTS = 40;

    private final RuntimeStorage storage;
    private final ThreadRuns runs;
    private final RunLifecycleService lifecycle;
    private final RunRegistry registry;
    private final Dependencies dependencies;

    /** Collaborators of the service. */
    @Singleton
    record Dependencies(AssistantWorkers workers, ObjectMapper mapper, Clock clock) {
    }

    /** A thread of a caller. */
    public record CallerThread(Owner owner, String principal, UUID id) {
    }

    ThreadRunService(RuntimeStorage storage, ThreadRuns runs, RunLifecycleService lifecycle, RunRegistry registry,
            Dependencies dependencies) {
        this.storage = storage;
        this.runs = runs;
        this.lifecycle = lifecycle;
        this.registry = registry;
        this.dependencies = dependencies;
    }

    /**
     * Stores a run, which starts when its client is ready and its thread has no other running one. Fails with 404 for an
     * unknown thread, assistant or checkpoint, 409 for a busy thread with strategy reject, 429 at a limit, and 503 if the
     * assistant's worker does not start.
     *
     * @param background whether the run continues without clients
     */
    public Uni<Run> create(CallerThread thread, CreateThreadRunRequest request, boolean background) {
        return create(thread, request, background, newIdentity());
    }

    /**
     * Stores a background run that answers the interrupts of a snapshot as {@link #create} does; fails with an
     * {@link AnsweredException} if the thread has other interrupts meanwhile.
     */
    public Uni<Run> answer(CallerThread thread, CreateThreadRunRequest request, ThreadSnapshot asked) {
        return create(thread, request, true, newIdentity(), asked.storedInterrupts());
    }

    Uni<Run> create(CallerThread thread, CreateThreadRunRequest request, boolean background, RunIdentity identity) {
        return create(thread, request, background, identity, null);
    }

    private Uni<Run> create(CallerThread thread, CreateThreadRunRequest request, boolean background, RunIdentity identity,
            @Nullable String asked) {
        return Uni.createFrom().deferred(() -> {
            CreateRunRequest body = request.toRun(background);
            lifecycle.require(body);
            return lifecycle.resolve(body, thread.owner())
                    .call(dependencies.workers()::requireMemory)
                    .call(resolved -> requireFork(thread, resolved))
                    .chain(resolved -> begin(thread, resolved, identity, asked));
        });
    }

    /** Checks a request for runs that start later; fails as {@link #create} does. */
    public Uni<ResolvedRun> check(Owner owner, CreateThreadRunRequest request) {
        return Uni.createFrom().deferred(() -> lifecycle.resolve(requireWebhook(request), owner))
                .call(dependencies.workers()::requireMemory);
    }

    /** @throws ProblemException 422 for a webhook without a public address, 503 during shutdown */
    public CreateRunRequest requireWebhook(CreateThreadRunRequest request) {
        CreateRunRequest body = request.toRun(true);
        lifecycle.require(body);
        return body;
    }

    /**
     * Starts a background run without a client; fails with 404 for an unknown assistant, and 429 at the limit of active runs
     * before anything is stored.
     *
     * @param created the thread to create if it is missing; null: none
     * @param store stores the run; an empty result if it was not stored
     */
    public Uni<Optional<Begun>> fire(CallerThread thread, CreateThreadRunRequest request, @Nullable NewThread created,
            Function<NewRun, Uni<Optional<Begun>>> store) {
        return Uni.createFrom().deferred(() -> lifecycle.resolve(requireWebhook(request), thread.owner()))
                .chain(resolved -> {
                    RunIdentity identity = newIdentity();
                    ThreadExecution execution = register(thread, resolved, identity, true);
                    Run run = execution.run();
                    run.retainValues();
                    NewRun stored = stored(thread, identity, resolved, true).created(created);
                    return runs.begin(execution, () -> store.apply(stored))
                            .invoke(begun -> {
                                if (begun.isPresent() && isStored(begun.get())) {
                                    apply(begun.get(), thread, execution, resolved.body());
                                    start(run);
                                } else {
                                    discard(execution);
                                }
                            })
                            .onFailure().invoke(() -> discard(execution));
                });
    }

    private static boolean isStored(Begun begun) {
        return begun instanceof Begun.Running || begun instanceof Begun.Queued || begun instanceof Begun.Existing;
    }

    private Uni<Void> requireFork(CallerThread thread, ResolvedRun run) {
        return dependencies.workers().storedFork(run).map(fork -> findThread(thread)
                .chain(stored -> stored.status() == ThreadStatus.BUSY ? awaitCheckpoint(stored, fork) : isStored(stored, fork))
                .invoke(isStored -> {
                    if (!isStored) {
                        throw noCheckpoint(thread, fork);
                    }
                    // A shutdown may have begun meanwhile.
                    lifecycle.require(run.body());
                })
                .replaceWithVoid()).orElseGet(() -> Uni.createFrom().voidItem());
    }

    /** Returns whether the active run of the thread stores the checkpoint soon: clients know it from an event before. */
    private Uni<Boolean> awaitCheckpoint(StoredThread thread, Fork fork) {
        return Uni.createFrom().deferred(() -> isStored(thread, fork))
                .repeat().withDelay(FORK_INTERVAL).atMost(FORK_ATTEMPTS)
                .filter(isStored -> isStored).select().first().toUni()
                .map(Boolean.TRUE::equals);
    }

    private Uni<Boolean> isStored(StoredThread thread, Fork fork) {
        return storage.execute(opened -> opened.checkpoints().get(thread.key(), fork.namespace(), fork.id()))
                .map(Optional::isPresent);
    }

    RunIdentity newIdentity() {
        return new RunIdentity(lifecycle.newId(), null);
    }

    /** Stores a run, whose members were checked; fails with a {@link RunExistsException} if its key was used before. */
    Uni<Run> begin(CallerThread thread, ResolvedRun resolved, RunIdentity identity) {
        return begin(thread, resolved, identity, null);
    }

    private Uni<Run> begin(CallerThread thread, ResolvedRun resolved, RunIdentity identity, @Nullable String asked) {
        CreateRunRequest body = resolved.body();
        boolean detached = body.resumable() || !body.cancelsOnDisconnect();
        ThreadExecution execution = register(thread, resolved, identity, detached);
        Run run = execution.run();
        NewRun stored = stored(thread, identity, resolved, detached).answering(asked);
        return runs.begin(execution, () -> runs.begin(stored))
                .invoke(identity::requireNew)
                .invoke(begun -> apply(begun, thread, execution, body))
                .onFailure().invoke(() -> discard(execution))
                .replaceWith(run)
                // A client that disconnects must not leave the thread busy: the run starts without it, or ends.
                .memoize().indefinitely()
                .onCancellation().invoke(() -> {
                    if (!detached) {
                        lifecycle.cancel(run);
                    }
                    start(run);
                });
    }

    private ThreadExecution register(CallerThread thread, ResolvedRun resolved, RunIdentity identity, boolean detached) {
        Run run = lifecycle.register(new Run.Origin(identity.id(), resolved.assistant(), thread.principal(), thread.id()),
                resolved.body());
        ThreadExecution execution = new ThreadExecution(run, thread.owner(), detached, runs);
        run.executeBy(execution);
        return execution;
    }

    private NewRun stored(CallerThread thread, RunIdentity identity, ResolvedRun run, boolean detached) {
        CreateRunRequest body = run.body();
        ObjectNode metadata = body.metadata();
        long delay = body.delayMillis();
        Instant runAt = delay > 0 ? dependencies.clock().instant().plusMillis(delay) : null;
        NewThread created = "create".equals(body.ifNotExists())
                ? new NewThread(thread.id(), ThreadRuns.metadataOf(run.assistant()).toString(), NO_OBJECT, null)
                : null;
        return new NewRun(thread.owner(), thread.id(), identity.id(), Kind.RUN, runs.replica(), run.assistant().id(),
                MultitaskStrategy.valueOf(body.strategy().toUpperCase(Locale.ROOT)),
                metadata == null ? NO_OBJECT : metadata.toString(),
                new StoredRequest(thread.principal(), detached, run.assistant().graphId(), body, identity.fingerprint())
                        .toBytes(dependencies.mapper()),
                runAt, created)
                .forkedFrom(dependencies.workers().storedFork(run).map(Fork::checkpoint).orElse(null));
    }

    private void apply(Begun begun, CallerThread thread, ThreadExecution execution, CreateRunRequest body) {
        switch (begun) {
            case Begun.Running running -> execution.begin(new Attempt(running.fence(), running.thread(), false, body));
            case Begun.Queued queued -> {
                execution.queued();
                CancelAction action = body.strategy().equals("rollback") ? CancelAction.ROLLBACK : CancelAction.INTERRUPT;
                queued.cancelled().forEach(cancelled -> runs.find(cancelled).ifPresent(active -> active.cancel(action)));
            }
            case Begun.Busy ignored -> throw ProblemException.conflict("The thread " + thread.id()
                    + " has an active run; wait for its end, or use another multitask_strategy than reject.");
            case Begun.Full ignored -> throw new ProblemException(CommonProblem.TOO_MANY_REQUESTS, "The thread "
                    + thread.id() + " has " + RunStorage.MAX_PENDING + " pending runs, the maximum; retry later.");
            case Begun.NoThread ignored -> throw noThread(thread);
            case Begun.NoCheckpoint ignored -> throw noCheckpoint(thread, ThreadMembers.fork(body).orElseThrow());
            case Begun.Answered ignored -> throw new AnsweredException();
            // Changed since the lost result of its start: the tick reports that.
            case Begun.Existing ignored -> execution.queued();
        }
    }

    private void discard(ThreadExecution execution) {
        runs.forget(execution);
        registry.discard(execution.run());
    }

    /** Starts a run whose client is ready. */
    public void start(Run run) {
        lifecycle.start(run);
    }

    /** Returns a run of the thread. */
    public Uni<RunResponse> get(CallerThread thread, UUID run) {
        return find(thread, run).map(RunResponse::of);
    }

    /** Returns runs of the thread, newest first. */
    public Uni<List<RunResponse>> list(CallerThread thread, @Nullable RunStatus status, int limit, int offset) {
        RunFilter filter = new RunFilter(status == null ? null : RunStorage.Status.valueOf(status.name()), limit, offset);
        return storage.execute(opened -> opened.runs().list(thread.owner(), thread.id(), filter))
                .call(found -> found.isEmpty() ? findThread(thread) : Uni.createFrom().voidItem())
                .map(found -> found.stream().map(RunResponse::of).toList());
    }

    /** Returns a run of the thread that this replica executes or retains; empty if the run is only stored. */
    public Uni<Optional<Run>> findLocal(CallerThread thread, UUID run) {
        return find(thread, run).chain(stored -> {
            Optional<Run> local = registry.find(run);
            boolean differs = local.isPresent() && local.get().status().isFinal() && !stored.status().isFinal();
            // It has ended meanwhile, or another replica executes it: after its loss here, or again after its deletion.
            return differs ? find(thread, run).map(again -> local.filter(ignored -> again.status().isFinal()))
                    : Uni.createFrom().item(local);
        });
    }

    /** Returns the values of the thread after an ended run, or its error as clients expect it. */
    public Uni<JsonNode> result(CallerThread thread, UUID run) {
        return find(thread, run).chain(ended -> {
            RunError error = RunError.parse(ended.error());
            return error == null ? values(thread) : Uni.createFrom().item(error.toResult());
        });
    }

    /** Returns the values of a thread, as those of a run. */
    Uni<JsonNode> values(CallerThread thread) {
        return findThread(thread).map(ThreadRunService::valuesOf);
    }

    static JsonNode valuesOf(StoredThread thread) {
        JsonNode values = Json.parse(thread.state().getBytes(StandardCharsets.UTF_8));
        return values instanceof ObjectNode object ? withInterrupts(object, thread) : values;
    }

    /** Adds the interrupts of the thread, as the values of a run have them. */
    private static ObjectNode withInterrupts(ObjectNode values, StoredThread thread) {
        JsonNode byTask = Json.parse(thread.interrupts().getBytes(StandardCharsets.UTF_8));
        if (!byTask.isEmpty()) {
            ArrayNode interrupts = values.putArray("__interrupt__");
            byTask.forEach(task -> task.forEach(interrupts::add));
        }
        return values;
    }

    /**
     * Cancels a run; has no effect on an ended one.
     *
     * @param wait whether the result completes when the run has ended
     */
    public Uni<Void> cancel(CallerThread thread, UUID run, CancelAction action, boolean wait) {
        return find(thread, run).chain(found -> {
            Optional<ThreadExecution> local = runs.find(run);
            if (found.status().isFinal()) {
                return Uni.createFrom().voidItem();
            }
            if (local.isEmpty()) {
                RunSelection selection = new RunSelection(thread.id(), List.of(run), null);
                return storage.execute(opened -> opened.runs().requestCancel(thread.owner(), selection, action))
                        .replaceWithVoid();
            }
            return Uni.createFrom().emitter(emitter -> {
                if (wait) {
                    local.get().run().onEnd(ignored -> emitter.complete(null));
                }
                local.get().cancel(action);
                if (!wait) {
                    emitter.complete(null);
                }
            });
        });
    }

    /** Deletes an ended run with its checkpoints. Fails with 404 if the thread has no such run, and 409 if it is active. */
    public Uni<Void> delete(CallerThread thread, UUID run) {
        return storage.execute(opened -> opened.runs().delete(thread.owner(), thread.id(), run))
                .invoke(deletion -> {
                    if (deletion == Deletion.ACTIVE) {
                        throw ProblemException.conflict("The run " + run + " or another run of its thread is active; "
                                + "cancel it, or wait for its end, before you delete the run.");
                    } else if (deletion == Deletion.MISSING) {
                        throw noRun(thread, run);
                    }
                })
                .replaceWithVoid();
    }

    /** Returns a run; fails with 404 if the thread has no such run. */
    Uni<StoredRun> find(CallerThread thread, UUID run) {
        return storage.execute(opened -> opened.runs().find(thread.owner(), thread.id(), run))
                .map(found -> found.filter(stored -> stored.kind() == Kind.RUN).orElseThrow(() -> noRun(thread, run)));
    }

    /** Returns the thread; fails with 404 if it does not exist. */
    public Uni<ThreadSnapshot> snapshot(CallerThread thread) {
        return findThread(thread).map(ThreadSnapshot::new);
    }

    /** Returns the time of the last change of the thread's state, by a run or an update; empty if there was none. */
    public Uni<Optional<Instant>> stateUpdatedAt(CallerThread thread) {
        return storage.execute(opened -> opened.threads().stateUpdatedAt(thread.owner(), thread.id()));
    }

    Uni<StoredThread> findThread(CallerThread thread) {
        return storage.execute(opened -> opened.threads().find(thread.owner(), thread.id()))
                .map(found -> found.orElseThrow(() -> noThread(thread)));
    }

    private static ProblemException noThread(CallerThread thread) {
        return new ProblemException(CommonProblem.NOT_FOUND, "The thread " + thread.id() + " does not exist.");
    }

    private static ProblemException noCheckpoint(CallerThread thread, Fork fork) {
        return new ProblemException(CommonProblem.NOT_FOUND,
                "The thread " + thread.id() + " has no checkpoint " + fork.id() + ".");
    }

    private static ProblemException noRun(CallerThread thread, UUID run) {
        return new ProblemException(CommonProblem.NOT_FOUND, "The thread " + thread.id() + " has no run " + run + ".");
    }
}
