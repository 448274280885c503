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
 * The known spans of traces, and their positions ({@code dotted_order}). A span names only its parent, which usually arrives
 * later, because spans are sent when they end. Until then the span is placed directly below the root, whose id is the
 * trace's, and its descendants below the span.
 */
final class SpanTree {

    /** Maximum number of levels below the root, which limits the size of rows; deeper spans are placed at this depth. */
    static final int MAX_DEPTH = 100;

    private final Map<UUID, SpanNode> nodes = new HashMap<>();
    private final Map<UUID, Instant> rootStarts = new HashMap<>();
    private final Map<UUID, Position> positions = new HashMap<>();

    SpanTree(Collection<SpanNode> knownSpans) {
        for (SpanNode node : knownSpans) {
            nodes.put(node.id(), node);
            if (node.root()) {
                rootStarts.put(node.traceId(), node.startTime());
            }
        }
    }

    /** Returns the position of a known span. */
    String position(SpanNode node) {
        return positionOf(node).text;
    }

    private Position positionOf(SpanNode node) {
        Position cached = positions.get(node.id());
        if (cached != null) {
            return cached;
        }
        // Iterative, because clients choose the length of the chain.
        Deque<SpanNode> chain = new ArrayDeque<>();
        Set<UUID> seen = new HashSet<>();
        for (SpanNode at = node; at != null && !positions.containsKey(at.id()) && seen.add(at.id()); at = parentOf(at)) {
            chain.push(at);
        }
        Position position = null;
        for (SpanNode span : chain) {
            position = childPosition(span, position == null ? parentPosition(span) : position);
            positions.put(span.id(), position);
        }
        if (position == null) {
            throw new IllegalStateException("a span is its own ancestor");
        }
        return position;
    }

    private @Nullable SpanNode parentOf(SpanNode node) {
        return node.root() || node.parentId() == null ? null : nodes.get(node.parentId());
    }

    private @Nullable Position parentPosition(SpanNode node) {
        SpanNode parent = parentOf(node);
        return parent == null ? null : positions.get(parent.id());
    }

    private Position childPosition(SpanNode node, @Nullable Position nearest) {
        String own = DottedOrder.segment(node.startTime(), node.runId());
        if (node.root()) {
            return new Position(null, own, 0);
        }
        Position parent = nearest == null ? unknownRootPosition(node)
                : nearest.depth < MAX_DEPTH || nearest.parent == null ? nearest : nearest.parent;
        return new Position(parent, parent.text + "." + own, parent.depth + 1);
    }

    private Position unknownRootPosition(SpanNode node) {
        Instant start = rootStarts.getOrDefault(node.traceId(), node.startTime());
        return new Position(null, DottedOrder.segment(start, node.traceId()), 0);
    }

    /** The position of one span; its descendants share its text. */
    private record Position(@Nullable Position parent, String text, int depth) {
    }
}
