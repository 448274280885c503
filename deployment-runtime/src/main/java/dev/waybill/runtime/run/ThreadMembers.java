package dev.waybill.runtime.run;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.event.StreamMode;
import dev.waybill.runtime.storage.RunStorage.CheckpointKey;
import dev.waybill.runtime.storage.RunStorage.ThreadHead;

/** Members of a new run that need a thread: their rules, and their parameters of {@code run/start}. */
final class ThreadMembers {

    private static final String CONFIGURABLE = "configurable";
    private static final String CHECKPOINT_ID = "checkpoint_id";

    /** Modes with whole checkpoints, and with all events of the graph. */
    private static final Set<StreamMode> CHECKPOINT_MODES = EnumSet.of(StreamMode.CHECKPOINTS, StreamMode.EVENTS);

    private ThreadMembers() {
    }

    /** A checkpoint of the thread from which a run forks. */
    record Fork(String namespace, UUID id, @Nullable JsonNode map) {

        CheckpointKey checkpoint() {
            return new CheckpointKey(namespace, id);
        }
    }

    /** Returns the violations of the members' types. */
    static List<Violation> violations(CreateThreadRunRequest body) {
        List<Violation> violations = new ArrayList<>();
        requireNodes("interrupt_before", body.interruptBefore(), violations);
        requireNodes("interrupt_after", body.interruptAfter(), violations);
        JsonNode checkpoint = set(body.checkpoint());
        if (checkpoint != null && !(checkpoint.isObject() && isIdOrNull(checkpoint.get(CHECKPOINT_ID)))) {
            violations.add(Violation.of("checkpoint", "must be an object whose checkpoint_id is a UUID", "invalid"));
        }
        if (!isIdOrNull(body.checkpointId())) {
            violations.add(Violation.of(CHECKPOINT_ID, "must be a UUID", "invalid"));
        }
        return violations;
    }

    /** Returns the violations of members that need the nodes and checkpoints of a graph. */
    static List<Violation> unsupportedWithoutCheckpoints(CreateRunRequest body) {
        List<Violation> violations = new ArrayList<>();
        String reason = "needs a graph with nodes, which the assistant's worker does not have; leave it out";
        if (set(body.interruptBefore()) != null) {
            violations.add(Violation.of("interrupt_before", reason, "invalid"));
        }
        if (set(body.interruptAfter()) != null) {
            violations.add(Violation.of("interrupt_after", reason, "invalid"));
        }
        for (String member : List.of("goto", "update")) {
            if (body.command() != null && set(body.command().get(member)) != null) {
                violations.add(new Violation(List.of("command", member), reason, "invalid"));
            }
        }
        return violations;
    }

    private static void requireNodes(String name, @Nullable JsonNode value, List<Violation> violations) {
        JsonNode nodes = set(value);
        boolean valid = nodes == null || nodes.isTextual() && nodes.textValue().equals("*")
                || nodes.isArray() && nodes.valueStream().allMatch(JsonNode::isTextual);
        if (!valid) {
            violations.add(Violation.of(name, "must be * or a list of names of nodes", "invalid"));
        }
    }

    private static boolean isIdOrNull(@Nullable JsonNode value) {
        JsonNode id = set(value);
        try {
            return id == null || id.isTextual() && UUID.fromString(id.textValue()).toString().equalsIgnoreCase(id.textValue());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns the value if it has an effect: clients also send null, empty lists and false. */
    private static @Nullable JsonNode set(@Nullable JsonNode value) {
        return value == null || value.isNull() || value.isArray() && value.isEmpty()
                || value.isBoolean() && !value.booleanValue() ? null : value;
    }

    /** Returns the checkpoint from which the run forks; empty for the newest one. */
    static Optional<Fork> fork(CreateRunRequest body) {
        JsonNode checkpoint = set(body.checkpoint());
        JsonNode id = set(checkpoint == null ? body.checkpointId() : checkpoint.get(CHECKPOINT_ID));
        if (id == null) {
            return Optional.empty();
        }
        return Optional.of(checkpoint == null
                ? new Fork("", UUID.fromString(id.textValue()), null)
                : new Fork(checkpoint.path("checkpoint_ns").asText(""), UUID.fromString(id.textValue()),
                        set(checkpoint.get("checkpoint_map"))));
    }

    /** Adds the members to the parameters of {@code run/start}. */
    static void addTo(ObjectNode params, Attempt attempt, Run run) {
        CreateRunRequest body = attempt.body();
        ObjectNode member = params.putObject("thread").put("id", attempt.fence().thread().thread().toString());
        member.set("checkpoint", fork(body).map(ThreadMembers::params).orElse(null));
        ObjectNode versions = member.putObject("versions");
        attempt.thread().versions().forEach(versions::put);
        params.put("attempt", attempt.fence().attempt());
        if (attempt.continues()) {
            params.put("continue", true);
        }
        params.put("assistant_id", run.assistant().id().toString());
        String durability = durability(body);
        params.put("durability", durability);
        if (namesCheckpoints(body, durability)) {
            params.put("name_checkpoints", true);
        }
        setIfPresent(params, "interrupt_before", body.interruptBefore());
        setIfPresent(params, "interrupt_after", body.interruptAfter());
        params.set("config", config(attempt.thread(), body.config()));
    }

    /**
     * Returns whether the worker names the checkpoints of values. Channels of the thread can replay the events of such a run,
     * which stores a checkpoint for each step; its other events are the same with names.
     */
    private static boolean namesCheckpoints(CreateRunRequest body, String durability) {
        Set<StreamMode> modes = body.modes();
        return body.resumable() && Boolean.TRUE.equals(body.streamSubgraphs()) && !durability.equals("exit")
                && modes.contains(StreamMode.VALUES) && Collections.disjoint(modes, CHECKPOINT_MODES);
    }

    private static String durability(CreateRunRequest body) {
        JsonNode during = body.checkpointDuring();
        return body.durability() != null ? body.durability().asText()
                : during != null && during.isBoolean() && !during.booleanValue() ? "exit" : "async";
    }

    private static void setIfPresent(ObjectNode params, String name, @Nullable JsonNode value) {
        JsonNode present = set(value);
        if (present != null) {
            params.set(name, present);
        }
    }

    private static JsonNode params(Fork fork) {
        return JsonNodeFactory.instance.objectNode().put("ns", fork.namespace()).put("id", fork.id().toString())
                .set("map", fork.map());
    }

    /** Returns the run's config with the members of configurable that the thread has, except those of a fork. */
    private static ObjectNode config(ThreadHead head, @Nullable ObjectNode ofRun) {
        ObjectNode merged = ofRun == null ? JsonNodeFactory.instance.objectNode() : ofRun.deepCopy();
        ObjectNode configurable = JsonNodeFactory.instance.objectNode();
        JsonNode ofThread = Json.parse(head.config().getBytes(StandardCharsets.UTF_8));
        addConfigurable(configurable, ofThread.get(CONFIGURABLE));
        addConfigurable(configurable, merged.get(CONFIGURABLE));
        if (!configurable.isEmpty()) {
            merged.set(CONFIGURABLE, configurable);
        } else {
            merged.remove(CONFIGURABLE);
        }
        return merged;
    }

    private static void addConfigurable(ObjectNode configurable, @Nullable JsonNode members) {
        if (members != null) {
            members.properties().stream().filter(member -> !member.getKey().startsWith("checkpoint_"))
                    .forEach(member -> configurable.set(member.getKey(), member.getValue()));
        }
    }
}
