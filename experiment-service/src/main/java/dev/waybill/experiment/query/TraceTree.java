package dev.waybill.experiment.query;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.waybill.common.api.trace.TraceResponse.TraceRun;

/** Orders the runs of a trace as a tree. */
final class TraceTree {

    private TraceTree() {
    }

    /**
     * Returns the runs in depth-first order with their depths; siblings keep their order. A run whose parent is missing
     * becomes a root, so the result always contains every run once.
     */
    static List<TraceRun> depthFirst(List<TraceRun> runs) {
        Set<UUID> pending = HashSet.newHashSet(runs.size());
        runs.forEach(run -> pending.add(run.id()));
        List<TraceRun> roots = new ArrayList<>();
        Map<UUID, List<TraceRun>> children = new HashMap<>();
        for (TraceRun run : runs) {
            UUID parent = run.parentRunId();
            if (parent == null || !pending.contains(parent)) {
                roots.add(run);
            } else {
                children.computeIfAbsent(parent, ignored -> new ArrayList<>()).add(run);
            }
        }
        List<TraceRun> ordered = new ArrayList<>(runs.size());
        roots.forEach(root -> appendSubtree(root, children, pending, ordered));
        // Runs of a cycle, which a client can send, are reachable from no root.
        runs.forEach(run -> appendSubtree(run, children, pending, ordered));
        return ordered;
    }

    private static void appendSubtree(TraceRun root, Map<UUID, List<TraceRun>> children, Set<UUID> pending,
            List<TraceRun> ordered) {
        Deque<TraceRun> stack = new ArrayDeque<>();
        stack.push(root.atDepth(0));
        while (!stack.isEmpty()) {
            TraceRun run = stack.pop();
            if (pending.remove(run.id())) {
                ordered.add(run);
                children.getOrDefault(run.id(), List.of()).reversed()
                        .forEach(child -> stack.push(child.atDepth(run.depth() + 1)));
            }
        }
    }
}
