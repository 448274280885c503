package dev.waybill.runtime.run;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;

import dev.waybill.runtime.assistant.Assistant;
import dev.waybill.runtime.assistant.AssistantCatalog;
import dev.waybill.runtime.checkpoint.OpenScope;
import dev.waybill.runtime.checkpoint.RequestScope;
import dev.waybill.runtime.checkpoint.RequestScopes;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.protocol.Capabilities;
import dev.waybill.runtime.storage.ChangesRejectedException;
import dev.waybill.runtime.storage.CheckpointStorage.Change;
import dev.waybill.runtime.storage.FenceLostException;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.Replica;
import dev.waybill.runtime.storage.RunStorage.ReplicaTick;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.RunSelection;
import dev.waybill.runtime.storage.RunStorage.StartedRun;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.ThreadStorage.ThreadChange;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import dev.waybill.runtime.worker.Workers;
import io.smallrye.mutiny.Uni;

/** The runs on threads that this replica executes or that wait here, and the replica's lease. */
@Singleton
public class ThreadRuns {

    private static final Logger LOG = Logger.getLogger(ThreadRuns.class);
    private static final Duration MIN_BACKOFF = Duration.ofMillis(100);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(5);

    private final RuntimeStorage storage;
    private final Dependencies dependencies;
    private final Map<UUID, ThreadExecution> executions = new ConcurrentHashMap<>();
    /** Runs whose start is being stored, and updates until their end. */
    private final Set<UUID> beginning = ConcurrentHashMap.newKeySet();
    private final ReplicaLease lease;
    private final StartedRuns started;

    /** Collaborators of the executions. */
    @Singleton
    record Dependencies(Workers workers, RequestScopes scopes, ObjectMapper mapper, JsonStateReader states,
            ThreadWatches watches) {
    }

    ThreadRuns(RuntimeStorage storage, RunLifecycleService lifecycle, AssistantCatalog assistants, Dependencies dependencies) {
        this.storage = storage;
        this.dependencies = dependencies;
        this.lease = new ReplicaLease(storage, new Work());
        this.started = new StartedRuns(this, lifecycle, assistants, dependencies.mapper());
    }

    /** Returns the id of this replica, for which runs are stored. */
    public UUID replica() {
        return lease.replica();
    }

    /**
     * Stores a run, which begins at once or waits; the replica has a lease then. Fails with a {@link RunExistsException} while
     * this replica executes a run with the same id, which another replica has deleted.
     */
    <T> Uni<T> begin(ThreadExecution execution, Supplier<Uni<T>> store) {
        ThreadExecution deleted = executions.putIfAbsent(execution.run().id(), execution);
        if (deleted != null) {
            deleted.deleted();
            return Uni.createFrom().failure(RunExistsException::new);
        }
        return lease.require()
                .chain(ignored -> store.get())
                .onFailure(StorageException.class).invoke(lease::recoverSoon)
                .onFailure().invoke(() -> forget(execution));
    }

    /** Stores a run that the caller executes, such as an update. */
    public Uni<Begun> begin(NewRun run) {
        beginning.add(run.id());
        return storage.execute(opened -> opened.runs().begin(run).onFailure(StorageException.class).invoke(lease::recoverSoon))
                .onItemOrFailure().invoke((begun, failure) -> {
                    if (run.kind() == Kind.RUN || !(begun instanceof Begun.Running)) {
                        beginning.remove(run.id());
                    }
                })
                .onCancellation().invoke(() -> beginning.remove(run.id()));
    }

    Optional<ThreadExecution> find(UUID run) {
        return Optional.ofNullable(executions.get(run));
    }

    /** Removes an execution, but no later one of a run with the same id. */
    void forget(ThreadExecution execution) {
        executions.remove(execution.run().id(), execution);
    }

    /** Reads the state of a thread whose graph has no checkpoints; empty for other graphs. */
    Optional<CompletionStage<@Nullable JsonRun>> readState(Run run, Attempt attempt) {
        return dependencies.states().read(run, attempt);
    }

    /** Starts an attempt in its worker. */
    void startInWorker(ThreadExecution execution, Attempt attempt, ObjectNode params) {
        Run run = execution.run();
        // The newest checkpoint of a run that was taken over may have been read before its last one was stored.
        OpenScope scope = dependencies.scopes().open(run.id(), RequestScope.writing(attempt.fence(),
                attempt.fence().attempt() == 1 ? attempt.thread().newest() : null));
        dependencies.workers().capabilities(run.assistant().graphId())
                .filter(Capabilities::takesNewest)
                .flatMap(worker -> scope.newest(worker.textTypes()))
                .ifPresent(newest -> params.putRawValue("newest", new RawValue(newest)));
        recordAssistant(attempt, run.assistant());
        run.attachWorker(dependencies.workers().start(run.id(), run.assistant().graphId(), params, execution));
    }

    /** Returns the metadata of the threads on which an assistant has run. */
    static ObjectNode metadataOf(Assistant assistant) {
        return JsonNodeFactory.instance.objectNode().put("graph_id", assistant.graphId())
                .put("assistant_id", assistant.id().toString());
    }

    /** Adds the assistant to the metadata of the thread, by which clients list their threads. */
    private void recordAssistant(Attempt attempt, Assistant assistant) {
        ObjectNode expected = metadataOf(assistant);
        JsonNode metadata = Json.parse(attempt.thread().metadata().getBytes(StandardCharsets.UTF_8));
        if (expected.properties().stream().anyMatch(member -> !member.getValue().equals(metadata.get(member.getKey())))) {
            execute(opened -> opened.threads().update(attempt.fence().thread().owner(), attempt.fence().thread().thread(),
                    new ThreadChange(expected.toString(), null)))
                    .whenComplete((ignored, failure) -> logFailure("could not add the assistant to a thread", failure));
        }
    }

    /** Stores the end of a run and begins the next one of its thread, which is returned. */
    public CompletionStage<Optional<StartedRun>> end(RunFence fence, RunEnd end) {
        Optional<OpenScope> scope = dependencies.scopes().close(fence);
        RunEnd complete = scope.map(opened -> end.with(opened.last())).orElse(end);
        return storeEnd(fence, complete).exceptionallyCompose(failure -> failure instanceof ChangesRejectedException rejected
                ? fail(fence, rejected)
                : CompletableFuture.failedFuture(failure)).whenComplete((ignored, failure) -> {
                    scope.ifPresent(opened -> opened.ended(failure == null));
                    boolean isUpdate = beginning.remove(fence.run());
                    if (isUpdate && failure == null && !end.rollback()) {
                        dependencies.watches().updated(fence.thread().thread());
                    }
                });
    }

    private CompletionStage<Optional<StartedRun>> storeEnd(RunFence fence, RunEnd end) {
        AtomicBoolean uncertain = new AtomicBoolean();
        return untilStored(runs -> runs.end(fence, end)
                .onFailure(StorageException.class).invoke(() -> uncertain.set(true))
                .onFailure(FenceLostException.class).recoverWithUni(lost -> uncertain.get() ? ended(runs, fence, end, lost)
                        : Uni.createFrom().failure(lost)));
    }

    /** Ends a run whose last checkpoints cannot be stored, and fails. */
    private CompletionStage<Optional<StartedRun>> fail(RunFence fence, ChangesRejectedException rejected) {
        RunEnd end = new RunEnd(Status.ERROR, RunError.REJECTED.toJson().toString(), ThreadStatus.ERROR, null, false);
        return storeEnd(fence, end).thenCompose(next -> {
            next.ifPresent(this::started);
            return CompletableFuture.failedFuture(rejected);
        });
    }

    /** Stores the end of an execution as {@link #end(RunFence, RunEnd)}. */
    CompletionStage<Optional<StartedRun>> end(ThreadExecution execution, RunFence fence, RunEnd end) {
        return end(fence, end).whenComplete((ignored, failure) -> forget(execution));
    }

    /** Returns without a failure if an earlier try stored the end and its result was lost; the next run is claimed later. */
    private static Uni<Optional<StartedRun>> ended(RunStorage runs, RunFence fence, RunEnd end, Throwable lost) {
        return runs.find(fence.thread().owner(), fence.thread().thread(), fence.run()).chain(found -> {
            Optional<StoredRun> same = found.filter(run -> run.createdAt().equals(fence.createdAt()));
            boolean stored = end.rollback() ? same.isEmpty()
                    : same.filter(run -> run.status() == end.status() && run.attempt() == fence.attempt()).isPresent();
            return stored ? Uni.createFrom().item(Optional.empty()) : Uni.createFrom().failure(lost);
        });
    }

    /** Returns a run to the pending ones for the next start of a runtime, which continues from its last checkpoint. */
    CompletionStage<Optional<StartedRun>> release(ThreadExecution execution, RunFence fence) {
        List<Change> last = dependencies.scopes().close(fence).map(OpenScope::last).orElse(List.of());
        return execute(opened -> last.isEmpty() ? Uni.createFrom().voidItem() : opened.checkpoints().store(fence, last))
                .handle((ignored, failure) -> untilStored(runs -> runs.release(fence)))
                .thenCompose(released -> released.thenApply(ignored -> Optional.<StartedRun> empty()))
                .whenComplete((ignored, failure) -> forget(execution));
    }

    /** Executes a run, whose worker died, in another attempt. */
    void repeat(ThreadExecution execution, RunFence fence) {
        dependencies.scopes().close(fence);
        untilStored(runs -> runs.release(fence)).whenComplete((ignored, failure) -> {
            if (failure == null) {
                execution.queued();
                tick();
            } else {
                forget(execution);
                execution.lose(failure);
            }
        });
    }

    /** Returns a relay that stores the events of an attempt, after those of its previous one. */
    EventRelay relay(Run run, RunFence fence, @Nullable EventRelay previous) {
        return new EventRelay(run, fence, this::untilStored, previous);
    }

    /** Cancels a pending run. */
    CompletionStage<Integer> withdraw(ThreadExecution execution, Owner owner, CancelAction action) {
        forget(execution);
        Run run = execution.run();
        return untilStored(runs -> runs.requestCancel(owner, new RunSelection(run.thread(), List.of(run.id()), null), action));
    }

    /** Repeats a write until the storage is available: a thread would be busy until it is stored. */
    private <T> CompletionStage<T> untilStored(Function<RunStorage, Uni<T>> write) {
        return execute(opened -> write.apply(opened.runs())
                .onFailure(StorageException.class).invoke(lease::recoverSoon)
                .onFailure(StorageException.class).retry().withBackOff(MIN_BACKOFF, MAX_BACKOFF).indefinitely());
    }

    private <T> CompletionStage<T> execute(Function<Storage, Uni<T>> operation) {
        return storage.execute(operation).subscribeAsCompletionStage();
    }

    /** Extends the lease while runs are active or wait, cancels runs and begins those that may start. */
    void tick() {
        lease.tick();
    }

    /** Takes over the running and pending runs of replicas whose lease has expired, and own ones whose start got no result. */
    public void recover() {
        lease.recover();
    }

    /** Ends the lease, so that runs of this replica are taken over at once. */
    CompletionStage<Void> leave() {
        return execute(opened -> opened.runs().leave(lease.replica()));
    }

    /** Executes a run that the storage has started for this replica. */
    public void started(StartedRun run) {
        started.execute(run);
    }

    /** Adds an execution of a run that is stored already. */
    void add(ThreadExecution execution) {
        executions.put(execution.run().id(), execution);
    }

    private static void logFailure(String what, @Nullable Throwable failure) {
        if (failure != null) {
            LOG.warnf("%s: %s", what, failure.getMessage());
        }
    }

    /** The runs as the lease needs them. */
    private final class Work implements ReplicaLease.Work {

        @Override
        public boolean isActive() {
            return !executions.isEmpty();
        }

        @Override
        public Replica state() {
            List<UUID> waiting = new ArrayList<>();
            List<UUID> known = new ArrayList<>(beginning);
            executions.forEach((id, execution) -> (execution.isQueued() ? waiting : known).add(id));
            return new Replica(lease.replica(), ReplicaLease.LEASE, waiting, known);
        }

        @Override
        public void apply(ReplicaTick tick) {
            tick.cancellations()
                    .forEach(cancelled -> find(cancelled.run()).ifPresent(run -> run.cancel(cancelled.action())));
            tick.started().forEach(ThreadRuns.this::started);
            executions.forEach((id, execution) -> execution.relay(tick.followed().contains(id)));
            for (UUID withdrawn : tick.withdrawn()) {
                find(withdrawn).filter(ThreadExecution::isQueued).ifPresent(run -> {
                    forget(run);
                    run.withdrawn();
                });
            }
        }

        @Override
        public void started(StartedRun started) {
            ThreadRuns.this.started(started);
        }

        @Override
        public void lose() {
            executions.values().stream().filter(ThreadExecution::isStored)
                    .forEach(execution -> execution.stop(RunStatus.ERROR, RunError.LOST));
        }
    }
}
