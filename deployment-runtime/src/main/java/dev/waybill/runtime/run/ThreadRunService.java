package dev.waybill.runtime.run;

import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.run.ThreadMembers.Fork;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import io.smallrye.mutiny.Uni;

/** Creates and starts runs on threads for their owners. */
@Singleton
public class ThreadRunService {

    private static final String NO_OBJECT = "{}";

    private final StoredThreadRuns threads;
    private final ThreadRuns runs;
    private final RunLifecycleService lifecycle;
    private final RunRegistry registry;
    private final Dependencies dependencies;

    /** Collaborators of the service. */
    @Singleton
    record Dependencies(AssistantWorkers workers, ObjectMapper mapper, Clock clock) {
    }

    ThreadRunService(StoredThreadRuns threads, ThreadRuns runs, RunLifecycleService lifecycle, RunRegistry registry,
            Dependencies dependencies) {
        this.threads = threads;
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
        return dependencies.workers().storedFork(run)
                .map(fork -> threads.requireCheckpoint(thread, fork)
                        // A shutdown may have begun meanwhile.
                        .invoke(() -> lifecycle.require(run.body())))
                .orElseGet(() -> Uni.createFrom().voidItem());
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
            case Begun.NoThread ignored -> throw StoredThreadRuns.noThread(thread);
            case Begun.NoCheckpoint ignored ->
                throw StoredThreadRuns.noCheckpoint(thread, ThreadMembers.fork(body).orElseThrow());
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
}
