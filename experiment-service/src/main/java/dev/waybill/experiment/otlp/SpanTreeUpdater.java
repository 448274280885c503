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

import dev.waybill.experiment.run.RunValidator;
import dev.waybill.experiment.run.TraceWriter;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Sets the positions of spans in their traces, in the transaction that stores them, and moves earlier spans whose parents
 * were missing. Traces are locked meanwhile: a parent and its child that are stored concurrently must see each other.
 */
@Singleton
class SpanTreeUpdater {

    // Limits the duration of the transaction.
    private static final int MAX_MOVED = 10_000;

    private final SpanRepository repository;
    private final TraceWriter writer;

    SpanTreeUpdater(SpanRepository repository, TraceWriter writer) {
        this.repository = repository;
        this.writer = writer;
    }

    /** Sets the positions of {@code received}, whose runs are inserted next, and moves earlier ones. */
    Uni<Void> update(SqlConnection connection, UUID tenantId, List<MappedSpan> received) {
        Map<UUID, MappedSpan> byId = new LinkedHashMap<>();
        received.forEach(span -> byId.putIfAbsent(span.node().id(), span));
        Set<UUID> traces = new LinkedHashSet<>();
        received.forEach(span -> traces.add(span.node().traceId()));
        return repository.lock(connection, tenantId, traces)
                .chain(() -> repository.withRoot(connection, tenantId, traces))
                .map(tracesWithRoot -> assignRoots(byId, tracesWithRoot))
                .chain(nodes -> repository.insert(connection, tenantId, nodes)
                        .chain(inserted -> related(connection, tenantId, nodes, inserted)
                                .chain(related -> move(connection, tenantId, byId, inserted, related))));
    }

    // The first span without a parent is its trace's root; of several in one request the earliest.
    private static List<SpanNode> assignRoots(Map<UUID, MappedSpan> received, Set<UUID> tracesWithRoot) {
        Set<UUID> traceIds = new HashSet<>(tracesWithRoot);
        Map<UUID, SpanNode> nodes = new HashMap<>();
        received.values().stream()
                .map(MappedSpan::node)
                .sorted(Comparator.comparing(SpanNode::startTime).thenComparing(node -> node.id()))
                .forEach(node -> nodes.put(node.id(),
                        node.parentId() == null && traceIds.add(node.traceId()) ? node.asRoot() : node));
        return received.keySet().stream().map(nodes::get).toList();
    }

    // Returns the spans that determine these positions, and those whose positions change.
    private Uni<List<SpanNode>> related(SqlConnection connection, UUID tenantId, List<SpanNode> nodes, Set<UUID> inserted) {
        List<SpanNode> insertedNodes = nodes.stream().filter(node -> inserted.contains(node.id())).toList();
        List<UUID> newlyRooted = insertedNodes.stream().filter(SpanNode::root).map(SpanNode::traceId).toList();
        List<SpanNode> all = new ArrayList<>();
        return repository.ancestors(connection, tenantId, nodes)
                .invoke(all::addAll)
                .chain(() -> repository.descendants(connection, tenantId, insertedNodes, MAX_MOVED))
                .invoke(all::addAll)
                .chain(() -> repository.ofTraces(connection, tenantId, newlyRooted, MAX_MOVED))
                .invoke(all::addAll)
                .replaceWith(all);
    }

    // Spans received earlier exist, even if this request repeats them: they are not inserted but may have to move.
    private Uni<Void> move(SqlConnection connection, UUID tenantId, Map<UUID, MappedSpan> received, Set<UUID> inserted,
            List<SpanNode> related) {
        SpanTree tree = new SpanTree(related);
        Map<UUID, String> moved = new HashMap<>();
        for (SpanNode node : related) {
            MappedSpan span = received.get(node.id());
            if (!inserted.contains(node.id())) {
                moved.put(node.runId(), tree.position(node));
            }
            if (span != null) {
                RunValidator.changeDottedOrder(span.run(), tree.position(node));
            }
        }
        return writer.changeDottedOrders(connection, tenantId, moved);
    }
}
