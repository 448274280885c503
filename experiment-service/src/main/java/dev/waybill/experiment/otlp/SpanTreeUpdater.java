package dev.waybill.experiment.otlp;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.experiment.run.RunRules;
import dev.waybill.experiment.run.TraceWriter;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Gives spans their places in their traces inside the transaction that stores them, and moves what stood below the root because
 * they had not come yet. Traces are locked meanwhile: a parent and its child that are stored at once must see each other.
 */
@Singleton
class SpanTreeUpdater {

    private final SpanRepository spans;
    private final TraceWriter writer;
    private final int mostMoved;

    SpanTreeUpdater(SpanRepository spans, TraceWriter writer, OtlpConfig config) {
        this.spans = spans;
        this.writer = writer;
        this.mostMoved = config.maxMoved();
    }

    /** Finds the places of {@code came}, whose runs are stored next, and moves others. */
    Uni<Void> place(SqlConnection connection, UUID tenantId, List<MappedSpan> came) {
        Map<UUID, MappedSpan> byId = new LinkedHashMap<>();
        came.forEach(span -> byId.putIfAbsent(span.node().id(), span));
        Set<UUID> traces = new LinkedHashSet<>();
        came.forEach(span -> traces.add(span.node().traceId()));
        return spans.lock(connection, tenantId, traces)
                .chain(() -> spans.withRoot(connection, tenantId, traces))
                .map(rooted -> withRoots(byId, rooted))
                .chain(nodes -> spans.insert(connection, tenantId, nodes)
                        .chain(fresh -> known(connection, tenantId, nodes, fresh)
                                .chain(known -> move(connection, tenantId, byId, fresh, known))));
    }

    // The first span without a parent is its trace's root; of several that come together the earliest.
    private static List<SpanNode> withRoots(Map<UUID, MappedSpan> came, Set<UUID> rooted) {
        Set<UUID> taken = new HashSet<>(rooted);
        Map<UUID, SpanNode> nodes = new HashMap<>();
        came.values().stream()
                .map(MappedSpan::node)
                .sorted(Comparator.comparing(SpanNode::startTime).thenComparing(node -> node.id()))
                .forEach(node -> nodes.put(node.id(),
                        node.parentId() == null && taken.add(node.traceId()) ? node.asRoot() : node));
        return came.keySet().stream().map(nodes::get).toList();
    }

    // What the places of these depend on, and what depends on theirs.
    private Uni<List<SpanNode>> known(SqlConnection connection, UUID tenantId, List<SpanNode> nodes, Set<UUID> fresh) {
        List<SpanNode> freshNodes = nodes.stream().filter(node -> fresh.contains(node.id())).toList();
        List<UUID> freshlyRooted = freshNodes.stream().filter(SpanNode::root).map(SpanNode::traceId).toList();
        List<SpanNode> all = new ArrayList<>();
        return spans.above(connection, tenantId, nodes)
                .invoke(all::addAll)
                .chain(() -> spans.below(connection, tenantId, freshNodes, mostMoved))
                .invoke(all::addAll)
                .chain(() -> spans.ofTraces(connection, tenantId, freshlyRooted, mostMoved))
                .invoke(all::addAll)
                .replaceWith(all);
    }

    // What had come before is there, also when it came again: its run is not stored once more, but may have to move.
    private Uni<Void> move(SqlConnection connection, UUID tenantId, Map<UUID, MappedSpan> came, Set<UUID> fresh,
            List<SpanNode> known) {
        SpanTree tree = new SpanTree(known);
        Map<UUID, String> moved = new HashMap<>();
        for (SpanNode node : known) {
            MappedSpan span = came.get(node.id());
            if (!fresh.contains(node.id())) {
                moved.put(node.runId(), tree.place(node));
            }
            if (span != null) {
                RunRules.move(span.run(), tree.place(node));
            }
        }
        return writer.move(connection, tenantId, moved);
    }
}
