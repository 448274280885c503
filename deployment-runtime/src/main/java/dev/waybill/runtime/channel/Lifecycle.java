package dev.waybill.runtime.channel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Lifecycle of a run and of the namespaces below it: a namespace starts with its first event, and is completed when the task or
 * the node that it belongs to has ended.
 */
final class Lifecycle {

    static final String CHANNEL = "lifecycle";
    static final String COMPLETED = "completed";
    static final String FAILED = "failed";
    static final String INTERRUPTED = "interrupted";
    private static final String INTERNAL = "__";

    private final ChannelOutput output;
    private final @Nullable String graph;
    /** Namespaces that have started and not ended, by their parents. */
    private final Map<List<String>, Set<List<String>>> open = new LinkedHashMap<>();
    private final List<Completion> pending = new ArrayList<>();
    private boolean ended;

    /** A namespace to complete, because its task has ended, or its node (not null). */
    private record Completion(List<String> namespace, @Nullable String node) {
    }

    Lifecycle(ChannelOutput output, @Nullable String graph) {
        this.output = output;
        this.graph = graph;
    }

    /** Writes the start of the run. */
    void begin() {
        write(List.of(), "running");
    }

    /** Writes what changes before an event. */
    void before(RunEvent event) {
        before(event, MissingNode.getInstance());
    }

    /** Writes what changes before an event about a task; that of a node is completed after all events of its update. */
    void before(RunEvent event, JsonNode task) {
        String ended = task.has("result") ? task.path("name").asText() : null;
        if (ended != null) {
            pending.removeIf(completion -> ended.equals(completion.node())
                    && parentOf(completion.namespace()).equals(event.namespace()));
        }
        pending.forEach(completion -> end(completion.namespace(), COMPLETED));
        pending.clear();
        for (int length = 1; length <= event.namespace().size(); length++) {
            List<String> namespace = List.copyOf(event.namespace().subList(0, length));
            if (open.computeIfAbsent(parentOf(namespace), parent -> new LinkedHashSet<>()).add(namespace)) {
                write(namespace, "started");
            }
        }
        if (ended != null && !ended.startsWith(INTERNAL)) {
            complete(below(event.namespace(), ended + ":" + task.path("id").asText()), null);
        }
    }

    /** Notes that a node has ended. */
    void updated(List<String> namespace, String node) {
        if (!node.startsWith(INTERNAL)) {
            open.getOrDefault(namespace, Set.of()).stream()
                    .filter(child -> ChannelFilter.nodeOf(child.getLast()).equals(node))
                    .findFirst().ifPresent(child -> complete(child, node));
        }
    }

    private void complete(List<String> namespace, @Nullable String node) {
        if (open.getOrDefault(parentOf(namespace), Set.of()).contains(namespace)
                && pending.stream().noneMatch(completion -> completion.namespace().equals(namespace))) {
            pending.add(new Completion(namespace, node));
        }
    }

    /** Writes the end of the run, once, and of all its namespaces. */
    void end(String status, @Nullable String error) {
        if (ended) {
            return;
        }
        ended = true;
        pending.forEach(completion -> end(completion.namespace(), COMPLETED));
        open.values().stream().flatMap(Set::stream).toList().forEach(namespace -> end(namespace, status));
        output.writeEnd(data(List.of(), status, error));
    }

    private void end(List<String> namespace, String status) {
        Set<List<String>> siblings = open.get(parentOf(namespace));
        if (siblings != null && siblings.remove(namespace)) {
            write(namespace, status);
            if (siblings.isEmpty()) {
                open.remove(parentOf(namespace));
            }
        }
    }

    private void write(List<String> namespace, String status) {
        output.write(CHANNEL, namespace, () -> data(namespace, status, null));
    }

    private ObjectNode data(List<String> namespace, String status, @Nullable String error) {
        ObjectNode data = JsonNodeFactory.instance.objectNode().put("event", status);
        String name = namespace.isEmpty() ? graph : ChannelFilter.nodeOf(namespace.getLast());
        if (name != null) {
            data.put("graph_name", name);
        }
        if (error != null) {
            data.put("error", error);
        }
        return data;
    }

    private static List<String> below(List<String> namespace, String segment) {
        List<String> child = new ArrayList<>(namespace);
        child.add(segment);
        return child;
    }

    private static List<String> parentOf(List<String> namespace) {
        return namespace.subList(0, namespace.size() - 1);
    }
}
