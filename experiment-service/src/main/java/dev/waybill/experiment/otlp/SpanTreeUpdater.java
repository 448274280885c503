package dev.waybill.experiment.otlp;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import dev.waybill.common.id.NameIds;
import dev.waybill.experiment.run.DottedOrder;
import dev.waybill.experiment.run.RunValidator;
import dev.waybill.experiment.run.TraceWriter;
import io.quarkus.scheduler.Scheduled;
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

    private static final Duration RETENTION = Duration.ofDays(7);

    private final Database database;
    private final SpanRepository repository;
    private final TraceWriter writer;

    SpanTreeUpdater(Database database, SpanRepository repository, TraceWriter writer) {
        this.database = database;
        this.repository = repository;
        this.writer = writer;
    }

    /** Sets the positions of {@code received}, whose runs are inserted next, and moves earlier ones. */
    Uni<Void> update(SqlConnection connection, UUID tenantId, List<SpanMapper.MappedSpan> received) {
        Map<UUID, SpanMapper.MappedSpan> byId = new LinkedHashMap<>();
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

    /** Deletes the structure of traces without recent spans; later spans are stored directly below their root. */
    @Scheduled(every = "1h", delayed = "7m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> deleteExpired() {
        return database.everyWorkspace(connection -> repository.deleteOlderThan(connection, RETENTION));
    }

    // The first span without a parent is its trace's root; of several in one request the earliest.
    private static List<SpanTree.Node> assignRoots(Map<UUID, SpanMapper.MappedSpan> received, Set<UUID> tracesWithRoot) {
        Set<UUID> traceIds = new HashSet<>(tracesWithRoot);
        Map<UUID, SpanTree.Node> nodes = new HashMap<>();
        received.values().stream()
                .map(SpanMapper.MappedSpan::node)
                .sorted(Comparator.comparing(SpanTree.Node::startTime).thenComparing(node -> node.id()))
                .forEach(node -> nodes.put(node.id(),
                        node.parentId() == null && traceIds.add(node.traceId()) ? node.asRoot() : node));
        return received.keySet().stream().map(nodes::get).toList();
    }

    // Returns the spans that determine these positions, and those whose positions change.
    private Uni<List<SpanTree.Node>> related(SqlConnection connection, UUID tenantId, List<SpanTree.Node> nodes,
            Set<UUID> inserted) {
        List<SpanTree.Node> insertedNodes = nodes.stream().filter(node -> inserted.contains(node.id())).toList();
        List<UUID> newlyRooted = insertedNodes.stream().filter(SpanTree.Node::root).map(SpanTree.Node::traceId).toList();
        List<SpanTree.Node> all = new ArrayList<>();
        return repository.ancestors(connection, tenantId, nodes)
                .invoke(all::addAll)
                .chain(() -> repository.descendants(connection, tenantId, insertedNodes, MAX_MOVED))
                .invoke(all::addAll)
                .chain(() -> repository.ofTraces(connection, tenantId, newlyRooted, MAX_MOVED))
                .invoke(all::addAll)
                .replaceWith(all);
    }

    // Spans received earlier exist, even if this request repeats them: they are not inserted but may have to move.
    private Uni<Void> move(SqlConnection connection, UUID tenantId, Map<UUID, SpanMapper.MappedSpan> received,
            Set<UUID> inserted,
            List<SpanTree.Node> related) {
        SpanTree tree = new SpanTree(related);
        Map<UUID, String> moved = new HashMap<>();
        for (SpanTree.Node node : related) {
            SpanMapper.MappedSpan span = received.get(node.id());
            if (!inserted.contains(node.id())) {
                moved.put(node.runId(), tree.position(node));
            }
            if (span != null) {
                RunValidator.changeDottedOrder(span.run(), tree.position(node));
            }
        }
        return writer.changeDottedOrders(connection, tenantId, moved);
    }

    /**
     * The known spans of traces, and their positions ({@code dotted_order}). A span names only its parent, which usually
     * arrives later, because spans are sent when they end. Until then the span is placed directly below the root, whose id
     * is the trace's, and its descendants below the span.
     */
    static final class SpanTree {

        /** Maximum number of levels below the root, which limits the size of rows; deeper spans are placed at this depth. */
        static final int MAX_DEPTH = 100;

        private final Map<UUID, Node> nodes = new HashMap<>();
        private final Map<UUID, Instant> rootStarts = new HashMap<>();
        private final Map<UUID, Position> positions = new HashMap<>();

        SpanTree(Collection<Node> knownSpans) {
            for (Node node : knownSpans) {
                nodes.put(node.id(), node);
                if (node.root()) {
                    rootStarts.put(node.traceId(), node.startTime());
                }
            }
        }

        /** Returns the position of a known span. */
        String position(Node node) {
            return positionOf(node).text;
        }

        private Position positionOf(Node node) {
            Position cached = positions.get(node.id());
            if (cached != null) {
                return cached;
            }
            // Iterative, because clients choose the length of the chain.
            Deque<Node> chain = new ArrayDeque<>();
            Set<UUID> seen = new HashSet<>();
            for (Node at = node; at != null && !positions.containsKey(at.id()) && seen.add(at.id()); at = parentOf(at)) {
                chain.push(at);
            }
            Position position = null;
            for (Node span : chain) {
                position = childPosition(span, position == null ? parentPosition(span) : position);
                positions.put(span.id(), position);
            }
            if (position == null) {
                throw new IllegalStateException("a span is its own ancestor");
            }
            return position;
        }

        private @Nullable Node parentOf(Node node) {
            return node.root() || node.parentId() == null ? null : nodes.get(node.parentId());
        }

        private @Nullable Position parentPosition(Node node) {
            Node parent = parentOf(node);
            return parent == null ? null : positions.get(parent.id());
        }

        private Position childPosition(Node node, @Nullable Position nearest) {
            String own = DottedOrder.segment(node.startTime(), node.runId());
            if (node.root()) {
                return new Position(null, own, 0);
            }
            Position parent = nearest == null ? unknownRootPosition(node)
                    : nearest.depth < MAX_DEPTH || nearest.parent == null ? nearest : nearest.parent;
            return new Position(parent, parent.text + "." + own, parent.depth + 1);
        }

        private Position unknownRootPosition(Node node) {
            Instant start = rootStarts.getOrDefault(node.traceId(), node.startTime());
            return new Position(null, DottedOrder.segment(start, node.traceId()), 0);
        }

        /** The position of one span; its descendants share its text. */
        private record Position(@Nullable Position parent, String text, int depth) {
        }

        /**
         * A span's relations within its trace.
         *
         * @param traceId the trace's id, which is also the id of the root's run
         * @param id derived from the trace's and the span's id, so repeated spans have the same id; the id of its run unless
         *        it is the root
         * @param parentId the parent span, which may not have been received; null if there is none
         * @param root whether it is the trace's root: the first received span without a parent
         */
        record Node(UUID traceId, UUID id, @Nullable UUID parentId, Instant startTime, boolean root) {

            /** Derives the id of a span. */
            static UUID id(UUID traceId, byte[] spanId) {
                return NameIds.of(traceId, HexFormat.of().formatHex(spanId));
            }

            /** Returns the id of the span's run. */
            UUID runId() {
                return root ? traceId : id;
            }

            Node asRoot() {
                return new Node(traceId, id, null, startTime, true);
            }
        }
    }
}
