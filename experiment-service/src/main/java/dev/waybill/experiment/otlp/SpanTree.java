package dev.waybill.experiment.otlp;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.run.DottedOrder;

/**
 * The spans of traces as far as they are known, and the place of each ({@code dotted_order}). A span says only which one is
 * directly above it, and that one usually comes later, because spans are sent when they end. Until it comes, a span stands
 * directly
 * below the root, whose id is the trace's and so always known; what is below it stands below it.
 */
final class SpanTree {

    /** Levels below the root; what is deeper stands below the span at this depth, or rows would grow without bound. */
    static final int DEEPEST = 100;

    private final Map<UUID, SpanNode> nodes = new HashMap<>();
    private final Map<UUID, Instant> rootStarts = new HashMap<>();
    private final Map<UUID, Steps> found = new HashMap<>();

    SpanTree(Collection<SpanNode> known) {
        for (SpanNode node : known) {
            nodes.put(node.id(), node);
            if (node.root()) {
                rootStarts.put(node.traceId(), node.startTime());
            }
        }
    }

    /** The place of a span that is known here. */
    String place(SpanNode node) {
        return steps(node).text;
    }

    private Steps steps(SpanNode node) {
        Steps known = found.get(node.id());
        if (known != null) {
            return known;
        }
        // Upwards without recursion: chains are as long as their sender likes.
        Deque<SpanNode> chain = new ArrayDeque<>();
        Set<UUID> seen = new HashSet<>();
        for (SpanNode at = node; at != null && !found.containsKey(at.id()) && seen.add(at.id()); at = above(at)) {
            chain.push(at);
        }
        Steps steps = null;
        for (SpanNode one : chain) {
            steps = below(one, steps == null ? aboveSteps(one) : steps);
            found.put(one.id(), steps);
        }
        if (steps == null) {
            throw new IllegalStateException("a span is above itself");
        }
        return steps;
    }

    private @Nullable SpanNode above(SpanNode node) {
        return node.root() || node.parentId() == null ? null : nodes.get(node.parentId());
    }

    private @Nullable Steps aboveSteps(SpanNode node) {
        SpanNode above = above(node);
        return above == null ? null : found.get(above.id());
    }

    private Steps below(SpanNode node, @Nullable Steps above) {
        String own = DottedOrder.segment(node.startTime(), node.runId());
        if (node.root()) {
            return new Steps(null, own, 0);
        }
        Steps parent = above == null ? root(node) : above.depth < DEEPEST || above.parent == null ? above : above.parent;
        return new Steps(parent, parent.text + "." + own, parent.depth + 1);
    }

    private Steps root(SpanNode node) {
        Instant start = rootStarts.getOrDefault(node.traceId(), node.startTime());
        return new Steps(null, DottedOrder.segment(start, node.traceId()), 0);
    }

    /** The place of one span; those below it share its text. */
    private record Steps(@Nullable Steps parent, String text, int depth) {
    }
}
