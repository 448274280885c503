package dev.waybill.runtime.state;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.checkpoint.RequestScope;
import dev.waybill.runtime.protocol.Capabilities.Memory;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunStatus;
import dev.waybill.runtime.run.ThreadResults;
import dev.waybill.runtime.run.ThreadRuns;
import dev.waybill.runtime.state.ThreadGraphs.ThreadGraph;
import dev.waybill.runtime.storage.FenceLostException;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.CheckpointKey;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import dev.waybill.runtime.thread.InitialStates;
import dev.waybill.runtime.thread.ThreadService;
import io.smallrye.mutiny.Uni;

/** Changes states of threads. An update is stored as a run of its own kind, so that it excludes runs. */
@Singleton
class StateUpdateService implements InitialStates {

    /** Updates belong to no assistant. */
    private static final UUID NO_ASSISTANT = new UUID(0, 0);

    private final RuntimeStorage storage;
    private final ThreadService threads;
    private final ThreadGraphs graphs;
    private final StateRequests requests;
    private final ThreadRuns runs;
    private final JsonStateService jsonStates;

    StateUpdateService(RuntimeStorage storage, ThreadService threads, ThreadGraphs graphs, StateRequests requests,
            ThreadRuns runs, JsonStateService jsonStates) {
        this.storage = storage;
        this.threads = threads;
        this.graphs = graphs;
        this.requests = requests;
        this.runs = runs;
        this.jsonStates = jsonStates;
    }

    @Override
    public Uni<Void> store(StoredThread thread, JsonNode supersteps) {
        return Uni.createFrom().deferred(() -> update(thread, StateUpdate.ofNewThread(supersteps))).replaceWithVoid();
    }

    /** Applies an update to the newest state, or to the one that it names. */
    Uni<UpdatedStateResponse> update(Owner owner, UUID thread, UpdateStateRequest request) {
        CheckpointRequest target = request.target();
        return threads.find(owner, thread)
                .invoke(() -> StateService.requireThread(target, thread))
                .call(found -> requireCheckpoint(found, target))
                .chain(found -> update(found, request.toUpdate()))
                // A client that disconnects must not leave the thread busy.
                .memoize().indefinitely();
    }

    private ThreadGraph graph(StoredThread thread) {
        ThreadGraph graph = graphs.find(thread).orElseThrow(() -> new ProblemException(CommonProblem.INVALID,
                "The thread has no graph yet; start a run, or set graph_id in its metadata."));
        if (!graph.hasJsonState()) {
            graph.require("update");
        }
        return graph;
    }

    /** LangGraph would begin a new history at a checkpoint that does not exist. */
    private Uni<Void> requireCheckpoint(StoredThread thread, @Nullable CheckpointRequest target) {
        CheckpointKey fork = forkOf(graph(thread), target);
        return fork == null ? Uni.createFrom().voidItem()
                : storage.execute(opened -> opened.checkpoints().get(thread.key(), fork.namespace(), fork.id()))
                        .map(found -> found.orElseThrow(() -> missing(fork)))
                        .replaceWithVoid();
    }

    /** Returns the stored checkpoint that the update forks; null for the newest one, and for graphs that store their own. */
    private static @Nullable CheckpointKey forkOf(ThreadGraph graph, @Nullable CheckpointRequest target) {
        return target == null || target.checkpointId() == null || graph.capabilities().memory() == Memory.OWN ? null
                : new CheckpointKey(target.namespace(), target.checkpointId());
    }

    private static ProblemException missing(CheckpointKey fork) {
        return StateService.missing(CheckpointRequest.of(fork.id()));
    }

    private Uni<UpdatedStateResponse> update(StoredThread thread, StateUpdate update) {
        ThreadGraph graph = graph(thread);
        UUID id = UUID.randomUUID();
        if (graph.hasJsonState()) {
            return updateJson(thread, graph, update, id);
        }
        ObjectNode params = StateService.params(thread, update.target());
        params.set("supersteps", update.supersteps());
        return begin(thread, id, forkOf(graph, update.target()))
                .chain(begun -> requests.send(id, RequestScope.writing(begun.fence()), graph.id(), "thread/update", params)
                        .call(result -> end(begun.fence(), result(result.path("state"), begun)))
                        .onFailure().call(() -> end(begun.fence(), RunEnd.rolledBack()).onFailure().recoverWithNull()))
                .map(result -> UpdatedStateResponse.from(thread.key().thread(), result));
    }

    private Uni<Begun.Running> begin(StoredThread thread, UUID id, @Nullable CheckpointKey fork) {
        NewRun update = new NewRun(thread.key().owner(), thread.key().thread(), id, Kind.UPDATE, runs.replica(), NO_ASSISTANT,
                MultitaskStrategy.REJECT, "{}", new byte[0], null, null).forkedFrom(fork);
        return runs.begin(update).map(begun -> running(begun, fork));
    }

    private Uni<UpdatedStateResponse> updateJson(StoredThread thread, ThreadGraph graph, StateUpdate update, UUID id) {
        return begin(thread, id, forkOf(graph, update.target()))
                .chain(begun -> Uni.createFrom().deferred(() -> jsonStates.update(begun.fence(), graph, update))
                        .call(created -> end(begun.fence(), result(created.state(), begun).with(List.of(created.checkpoint()))))
                        .onFailure().call(() -> end(begun.fence(), RunEnd.rolledBack()).onFailure().recoverWithNull()))
                .map(created -> UpdatedStateResponse.from(thread.key().thread(), created.state()));
    }

    private static Begun.Running running(Begun begun, @Nullable CheckpointKey fork) {
        return switch (begun) {
            case Begun.Running running -> running;
            case Begun.Busy ignored -> throw ProblemException.conflict(
                    "The thread has an active run; wait for its end or cancel it.");
            case Begun.NoThread ignored -> throw new ProblemException(CommonProblem.NOT_FOUND, "The thread was deleted.");
            case Begun.NoCheckpoint ignored -> throw missing(Objects.requireNonNull(fork));
            case Begun.Answered ignored -> throw new IllegalStateException("an update answers no interrupts");
            case Begun.Queued ignored -> throw new IllegalStateException("an update was queued");
            case Begun.Full ignored -> throw new IllegalStateException("an update was queued");
            case Begun.Existing ignored -> throw new IllegalStateException("an update was stored before");
        };
    }

    private static RunEnd result(JsonNode state, Begun.Running begun) {
        return ThreadResults.of(new Run.End(RunStatus.SUCCESS, null, null), state, begun.thread());
    }

    /** Stores the end of the update, and starts the run that waited for it. */
    private Uni<Void> end(RunFence fence, RunEnd end) {
        return Uni.createFrom().completionStage(() -> runs.end(fence, end))
                .invoke(next -> next.ifPresent(runs::started))
                .onFailure(FenceLostException.class).transform(lost -> ProblemException.conflict("The thread was deleted."))
                .replaceWithVoid();
    }
}
