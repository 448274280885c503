package dev.waybill.runtime.state;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.runtime.jsonstate.InvalidStateException;
import dev.waybill.runtime.jsonstate.JsonState;
import dev.waybill.runtime.jsonstate.JsonStates;
import dev.waybill.runtime.jsonstate.NewJsonState;
import dev.waybill.runtime.state.ThreadGraphs.ThreadGraph;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** States of threads whose graphs have no checkpoints: the runtime stores them and needs no worker for them. */
@Singleton
class JsonStateService {

    private final JsonStates states;
    private final RuntimeStorage storage;
    private final Blocking blocking;

    JsonStateService(JsonStates states, RuntimeStorage storage, Blocking blocking) {
        this.states = states;
        this.storage = storage;
        this.blocking = blocking;
    }

    /** Returns the state at a checkpoint; null for the newest one. */
    Uni<StateResponse> read(StoredThread thread, @Nullable CheckpointRequest checkpoint) {
        UUID id = idOf(checkpoint);
        return states.read(thread.key(), id)
                .map(found -> found.map(state -> response(thread, state))
                        .orElseThrow(() -> StateService.missing(CheckpointRequest.of(id))));
    }

    /** Returns the states of a thread, newest first. */
    Multi<StateResponse> history(StoredThread thread, StateHistoryRequest request) {
        String metadata = request.metadata() == null ? null : request.metadata().toString();
        return states.list(thread.key(), idOf(request.checkpoint()), request.beforeId(), metadata, request.maxStates())
                .map(state -> response(thread, state));
    }

    /**
     * Applies an update, whose members replace those of the state; a question that waits for an answer remains. Stores all new
     * states but the last one, which is returned.
     *
     * @param fence fence of the update
     */
    Uni<NewJsonState> update(RunFence fence, ThreadGraph graph, StateUpdate update) {
        UUID id = idOf(update.target());
        List<ObjectNode> steps = update.supersteps().valueStream().map(updates -> changes(updates, graph)).toList();
        return states.readBefore(fence.thread(), id)
                .map(found -> found.orElseThrow(() -> StateService.missing(CheckpointRequest.of(id))))
                .chain(before -> update(fence, graph, before, steps));
    }

    private Uni<NewJsonState> update(RunFence fence, ThreadGraph graph, JsonState before, List<ObjectNode> steps) {
        ObjectNode values = before.merged(steps.getFirst());
        return blocking.call(() -> create(before, values, graph))
                .chain(created -> steps.size() == 1 ? Uni.createFrom().item(created)
                        : storage.execute(opened -> opened.checkpoints().put(fence, created.checkpoint()))
                                .chain(() -> update(fence, graph, created.toState(values, before),
                                        steps.subList(1, steps.size()))));
    }

    private NewJsonState create(JsonState before, ObjectNode values, ThreadGraph graph) {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode().put("source", "update").put("graph_id", graph.id());
        try {
            return states.create(before, values, before.tasks(), metadata);
        } catch (InvalidStateException e) {
            throw new ProblemException(e.isTooLarge() ? CommonProblem.TOO_LARGE : CommonProblem.INVALID, e.detail());
        }
    }

    /** Returns the members that the updates of one step set. */
    private static ObjectNode changes(JsonNode updates, ThreadGraph graph) {
        ObjectNode changes = JsonNodeFactory.instance.objectNode();
        for (JsonNode update : updates) {
            String node = update.path("as_node").textValue();
            if (node != null && !node.equals(graph.id())) {
                throw ProblemException.invalid(Violation.of("as_node",
                        "must be left out, or be " + graph.id() + ": the graph has no nodes", "invalid"));
            }
            JsonNode values = update.path("values");
            if (update.hasNonNull("command") || !(values.isMissingNode() || values.isNull() || values.isObject())) {
                throw ProblemException.invalid(Violation.of("values", "must be an object", "invalid"));
            }
            if (values instanceof ObjectNode members) {
                changes.setAll(members);
            }
        }
        return changes;
    }

    private static @Nullable UUID idOf(@Nullable CheckpointRequest checkpoint) {
        return checkpoint == null ? null : checkpoint.checkpointId();
    }

    private static StateResponse response(StoredThread thread, JsonState state) {
        return StateResponse.from(state.toResponse(thread.key().thread()));
    }
}
