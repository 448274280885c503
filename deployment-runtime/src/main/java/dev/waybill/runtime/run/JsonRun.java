package dev.waybill.runtime.run;

import java.util.UUID;
import java.util.function.LongConsumer;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.jsonstate.InvalidStateException;
import dev.waybill.runtime.jsonstate.JsonState;
import dev.waybill.runtime.jsonstate.JsonStates;
import dev.waybill.runtime.jsonstate.NewJsonState;
import dev.waybill.runtime.protocol.MessageWriter;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.worker.RunSink;
import dev.waybill.runtime.worker.RunSink.Outcome;

/** A run of a graph with a JSON state (docs/decisions/0182): the state that its worker gets, and the one that it returns. */
final class JsonRun {

    private static final String INTERRUPTS = "__interrupt__";

    private final JsonStates states;
    private final JsonState before;
    private final UUID run;
    private final String graph;
    private final LongConsumer created;
    private @Nullable Outcome converted;
    private @Nullable Outcome result;
    private @Nullable NewJsonState after;

    /**
     * @param before the state from which the run starts
     * @param created receives the size of the state after the run
     */
    JsonRun(JsonStates states, JsonState before, Run run, LongConsumer created) {
        this.states = states;
        this.before = before;
        this.run = run.id();
        this.graph = run.assistant().graphId();
        this.created = created;
    }

    /** Adds the state, and the answer to its interrupts, to the parameters of {@code run/start}. */
    void addTo(ObjectNode params, CreateRunRequest body) {
        params.set("state", before.id() == null ? null : before.values());
        if (!before.tasks().isEmpty()) {
            params.set("interrupts", before.interrupts());
        }
        ObjectNode command = body.command();
        if (command != null && command.has("resume")) {
            params.set("resume", answer(command.get("resume")));
        }
        // The final values are the state of a worker that returns no other.
        params.remove(MessageWriter.VALUES);
    }

    /** Returns the answer; clients may also send it by the id of the interrupt. */
    private JsonNode answer(JsonNode resume) {
        String id = before.interrupts().path(0).path("id").asText();
        return resume.size() == 1 && resume.has(id) ? resume.get(id) : resume;
    }

    /**
     * Returns the worker's outcome with the state in the form of graphs with checkpoints; a failure if the state cannot be
     * stored.
     */
    synchronized Outcome result(Outcome outcome) {
        Outcome known = result;
        if (known == null || outcome != converted) {
            converted = outcome;
            known = convert(outcome);
            result = known;
        }
        return known;
    }

    /** Returns the checkpoint of the state that the last outcome has; null if it has none. */
    synchronized @Nullable NewCheckpoint checkpoint() {
        return after == null ? null : after.checkpoint();
    }

    private Outcome convert(Outcome outcome) {
        after = null;
        try {
            return switch (outcome) {
                case Outcome.Completed completed -> completed(completed);
                case Outcome.Failed failed ->
                    new Outcome.Failed(failed.error(), failed.message(), stateOrNull(failed.state()));
                case Outcome.Cancelled cancelled -> new Outcome.Cancelled(stateOrNull(cancelled.state()));
            };
        } catch (InvalidStateException e) {
            return new Outcome.Failed(e.isTooLarge() ? "StateTooLarge" : "InvalidState", e.detail());
        }
    }

    private Outcome completed(Outcome.Completed completed) {
        ObjectNode state = stateOf(completed);
        JsonNode interrupt = completed.interrupt();
        JsonNode values = completed.values().isMissingNode() ? state : completed.values();
        if (interrupt == null || interrupt.isNull()) {
            return new Outcome.Completed(values, store(state, JsonNodeFactory.instance.arrayNode()), null);
        }
        ArrayNode tasks = states.waiting(graph, interrupt);
        JsonNode stored = store(state, tasks);
        ObjectNode interrupted = JsonNodeFactory.instance.objectNode();
        if (values instanceof ObjectNode members) {
            interrupted.setAll(members);
        }
        interrupted.set(INTERRUPTS, tasks.path(0).path("interrupts"));
        return new Outcome.Completed(interrupted, stored, interrupt);
    }

    /** Returns the state that the worker returned; otherwise its values, or the state before. */
    private ObjectNode stateOf(Outcome.Completed completed) {
        JsonNode state = completed.state();
        if (state == null || state.isNull()) {
            return completed.values() instanceof ObjectNode values ? values : before.values();
        }
        return requireObject(state);
    }

    /** Returns the state of a run that did not succeed; null if it stays the one before. */
    private @Nullable JsonNode stateOrNull(@Nullable JsonNode state) {
        return state == null || state.isNull() ? null
                : store(requireObject(state), JsonNodeFactory.instance.arrayNode());
    }

    private static ObjectNode requireObject(JsonNode state) {
        if (state instanceof ObjectNode object) {
            return object;
        }
        throw InvalidStateException.noObject();
    }

    private JsonNode store(ObjectNode values, ArrayNode tasks) {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode().put("source", "loop").put("run_id", run.toString())
                .put("graph_id", graph);
        NewJsonState state = states.create(before, values, tasks, metadata);
        created.accept(state.checkpoint().bytes());
        after = state;
        return state.state();
    }

    /** Sends the events of an interrupt, as graphs with checkpoints send them. */
    void sendInterrupts(Outcome outcome, RunSink events) {
        if (result(outcome) instanceof Outcome.Completed completed && completed.interrupt() != null) {
            ObjectNode update = JsonNodeFactory.instance.objectNode();
            update.set(INTERRUPTS, completed.values().path(INTERRUPTS));
            events.event("updates", "", Json.bytes(update), 0);
            events.event("values", "", Json.bytes(completed.values()), 0);
        }
    }
}
