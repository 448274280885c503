package dev.waybill.runtime.state;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.checkpoint.RequestScope;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.state.ThreadGraphs.ThreadGraph;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import dev.waybill.runtime.thread.ThreadService;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Reads states of threads, from the workers of their graphs. */
@Singleton
class StateService {

    private final ThreadService threads;
    private final ThreadGraphs graphs;
    private final StateRequests requests;
    private final JsonStateService jsonStates;

    StateService(ThreadService threads, ThreadGraphs graphs, StateRequests requests, JsonStateService jsonStates) {
        this.threads = threads;
        this.graphs = graphs;
        this.requests = requests;
        this.jsonStates = jsonStates;
    }

    /** Returns the state at a checkpoint; null for the newest one. */
    Uni<StateResponse> read(Owner owner, UUID thread, @Nullable CheckpointRequest checkpoint, boolean subgraphs) {
        return threads.find(owner, thread)
                .invoke(() -> requireThread(checkpoint, thread))
                .chain(found -> read(found, checkpoint, subgraphs))
                .invoke(state -> requireFound(state, checkpoint));
    }

    private Uni<StateResponse> read(StoredThread thread, @Nullable CheckpointRequest checkpoint, boolean subgraphs) {
        Optional<ThreadGraph> graph = graphs.find(thread);
        if (graph.isPresent() && graph.get().hasJsonState()) {
            return jsonStates.read(thread, checkpoint);
        }
        if (graph.isEmpty() || !graph.get().hasCheckpoints()) {
            return Uni.createFrom().item(StateResponse.withoutCheckpoint(thread));
        }
        graph.get().require("state");
        return send(thread, graph.get(), "thread/state", params(thread, checkpoint).put("subgraphs", subgraphs))
                .map(StateResponse::from);
    }

    /** Returns the states of a thread, newest first. */
    Multi<StateResponse> history(Owner owner, UUID thread, StateHistoryRequest request) {
        return threads.find(owner, thread)
                .invoke(() -> requireThread(request.checkpoint(), thread))
                .onItem().transformToMulti(found -> history(found, request));
    }

    private Multi<StateResponse> history(StoredThread thread, StateHistoryRequest request) {
        Optional<ThreadGraph> graph = graphs.find(thread);
        if (graph.isPresent() && graph.get().hasJsonState()) {
            return jsonStates.history(thread, request);
        }
        if (graph.isEmpty() || !graph.get().hasCheckpoints()) {
            return thread.stateUpdatedAt() == null ? Multi.createFrom().empty()
                    : Multi.createFrom().item(StateResponse.withoutCheckpoint(thread));
        }
        graph.get().require("history");
        return Multi.createBy().repeating()
                .uni(() -> new HistoryPosition(request), position -> page(thread, graph.get(), request, position))
                .whilst(page -> page.hasNonNull("next"))
                .onItem().transformToIterable(StateService::states);
    }

    /** Requests the next page: a worker ends a page at a limit, or earlier if its states are large. */
    private Uni<JsonNode> page(StoredThread thread, ThreadGraph graph, StateHistoryRequest request,
            HistoryPosition position) {
        ObjectNode params = params(thread, request.checkpoint()).put("limit", position.remaining)
                .put("before", position.before);
        params.set("filter", request.metadata());
        return send(thread, graph, "thread/history", params).invoke(position::advance);
    }

    private static List<StateResponse> states(JsonNode page) {
        return StreamSupport.stream(page.path("states").spliterator(), false).map(StateResponse::from).toList();
    }

    private Uni<JsonNode> send(StoredThread thread, ThreadGraph graph, String method, ObjectNode params) {
        return requests.send(UUID.randomUUID(), RequestScope.reading(thread.key()), graph.id(), method, params);
    }

    /** Returns the members that all requests for a thread have. */
    static ObjectNode params(StoredThread thread, @Nullable CheckpointRequest checkpoint) {
        ObjectNode params = JsonNodeFactory.instance.objectNode().put("thread", thread.key().thread().toString());
        params.set("config", Json.parse(thread.config().getBytes(StandardCharsets.UTF_8)));
        params.set("checkpoint", checkpoint == null ? null : checkpoint.toWorker());
        return params;
    }

    /** Requires that a checkpoint does not name another thread. */
    static void requireThread(@Nullable CheckpointRequest checkpoint, UUID thread) {
        if (checkpoint != null && checkpoint.threadId() != null && !checkpoint.threadId().equals(thread)) {
            throw new ProblemException(CommonProblem.NOT_FOUND,
                    "The checkpoint belongs to the thread " + checkpoint.threadId() + ", not to " + thread + ".");
        }
    }

    private static void requireFound(StateResponse state, @Nullable CheckpointRequest checkpoint) {
        if (checkpoint != null && checkpoint.checkpointId() != null && !state.exists()) {
            throw missing(checkpoint);
        }
    }

    static ProblemException missing(CheckpointRequest checkpoint) {
        return new ProblemException(CommonProblem.NOT_FOUND,
                "The thread has no checkpoint " + checkpoint.checkpointId() + ".");
    }

    /** Position in the history of a thread. */
    private static final class HistoryPosition {

        private @Nullable String before;
        private int remaining;

        HistoryPosition(StateHistoryRequest request) {
            UUID id = request.beforeId();
            this.before = id == null ? null : id.toString();
            this.remaining = request.maxStates();
        }

        void advance(JsonNode page) {
            before = page.path("next").textValue();
            remaining -= page.path("states").size();
        }
    }
}
