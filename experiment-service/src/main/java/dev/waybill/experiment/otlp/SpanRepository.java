package dev.waybill.experiment.otlp;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Stores the relations of received spans, as long as more spans of their traces are expected. */
@Singleton
class SpanRepository {

    // Number of advisory locks per workspace; a request may contain spans of thousands of traces.
    private static final int LOCK_COUNT = 64;

    private static final String LOCK = """
            SELECT pg_advisory_xact_lock(hashtextextended($1::text || number::text, 0)) FROM unnest($2::int[]) AS number
            """;

    private static final String ROOTS = """
            SELECT trace_id FROM trace.spans WHERE tenant_id = $1 AND trace_id = ANY($2) AND root
            """;

    private static final String INSERT = """
            INSERT INTO trace.spans (tenant_id, trace_id, id, parent_id, start_time, root)
            SELECT $1, unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::uuid[]), unnest($5::timestamptz[]), unnest($6::boolean[])
            ON CONFLICT (tenant_id, trace_id, id) DO NOTHING
            RETURNING trace_id, id
            """;

    private static final String ANCESTORS = """
            WITH RECURSIVE above AS (
                SELECT s.trace_id, s.id, s.parent_id, s.start_time, s.root FROM unnest($2::uuid[], $3::uuid[]) AS new (trace_id, id)
                    JOIN trace.spans s ON s.tenant_id = $1 AND s.trace_id = new.trace_id AND s.id = new.id
                UNION
                SELECT s.trace_id, s.id, s.parent_id, s.start_time, s.root FROM above
                    JOIN trace.spans s ON s.tenant_id = $1 AND s.trace_id = above.trace_id AND s.id = above.parent_id)
            SELECT * FROM above
            UNION
            SELECT trace_id, id, parent_id, start_time, root FROM trace.spans
            WHERE tenant_id = $1 AND trace_id = ANY($2) AND root
            """;

    private static final String DESCENDANTS = """
            WITH RECURSIVE below AS (
                SELECT new.trace_id, new.id, NULL::uuid AS parent_id, NULL::timestamptz AS start_time
                    FROM unnest($2::uuid[], $3::uuid[]) AS new (trace_id, id)
                UNION
                SELECT s.trace_id, s.id, s.parent_id, s.start_time FROM below
                    JOIN trace.spans s ON s.tenant_id = $1 AND s.trace_id = below.trace_id AND s.parent_id = below.id AND NOT s.root)
            SELECT trace_id, id, parent_id, start_time, false AS root FROM below WHERE start_time IS NOT NULL LIMIT $4
            """;

    private static final String OF_TRACES = """
            SELECT trace_id, id, parent_id, start_time, root FROM trace.spans
            WHERE tenant_id = $1 AND trace_id = ANY($2) LIMIT $3
            """;

    private static final String DELETE = "DELETE FROM trace.spans WHERE received_at < now() - make_interval(secs => $1)";

    /** Locks the traces until the transaction ends; in one order, to avoid deadlocks. */
    Uni<Void> lock(SqlConnection connection, UUID tenantId, Collection<UUID> traces) {
        Integer[] numbers = traces.stream()
                .map(trace -> Math.floorMod(trace.hashCode(), LOCK_COUNT))
                .distinct()
                .sorted()
                .toArray(Integer[]::new);
        return connection.preparedQuery(LOCK)
                .execute(Tuple.of("spans of " + tenantId + " ", numbers))
                .replaceWithVoid();
    }

    /** Returns the traces whose root has been received. */
    Uni<Set<UUID>> withRoot(SqlConnection connection, UUID tenantId, Collection<UUID> traces) {
        return connection.preparedQuery(ROOTS)
                .execute(Tuple.of(tenantId, array(traces)))
                .map(rows -> {
                    Set<UUID> found = new HashSet<>();
                    rows.forEach(row -> found.add(row.getUUID(0)));
                    return found;
                });
    }

    /** Inserts spans; returns the ids of those that are new. */
    Uni<Set<UUID>> insert(SqlConnection connection, UUID tenantId, List<SpanTreeUpdater.SpanTree.Node> spans) {
        return connection.preparedQuery(INSERT)
                .execute(Tuple.tuple(List.of(tenantId,
                        spans.stream().map(SpanTreeUpdater.SpanTree.Node::traceId).toArray(UUID[]::new),
                        spans.stream().map(SpanTreeUpdater.SpanTree.Node::id).toArray(UUID[]::new),
                        spans.stream().map(SpanTreeUpdater.SpanTree.Node::parentId).toArray(UUID[]::new),
                        spans.stream().map(span -> span.startTime().atOffset(ZoneOffset.UTC))
                                .toArray(OffsetDateTime[]::new),
                        spans.stream().map(SpanTreeUpdater.SpanTree.Node::root).toArray(Boolean[]::new))))
                .map(rows -> {
                    Set<UUID> inserted = new HashSet<>();
                    rows.forEach(row -> inserted.add(row.getUUID("id")));
                    return inserted;
                });
    }

    /** Returns these spans, their ancestors, and the roots of their traces. */
    Uni<List<SpanTreeUpdater.SpanTree.Node>> ancestors(SqlConnection connection, UUID tenantId,
            List<SpanTreeUpdater.SpanTree.Node> spans) {
        return connection.preparedQuery(ANCESTORS)
                .execute(Tuple.of(tenantId, array(spans.stream().map(SpanTreeUpdater.SpanTree.Node::traceId).toList()),
                        array(spans.stream().map(SpanTreeUpdater.SpanTree.Node::id).toList())))
                .map(SpanRepository::nodes);
    }

    /** Returns the descendants of these spans, up to {@code limit}. */
    Uni<List<SpanTreeUpdater.SpanTree.Node>> descendants(SqlConnection connection, UUID tenantId,
            List<SpanTreeUpdater.SpanTree.Node> spans, int limit) {
        return connection.preparedQuery(DESCENDANTS)
                .execute(Tuple.of(tenantId, array(spans.stream().map(SpanTreeUpdater.SpanTree.Node::traceId).toList()),
                        array(spans.stream().map(SpanTreeUpdater.SpanTree.Node::id).toList()), limit))
                .map(SpanRepository::nodes);
    }

    /**
     * Returns all spans of the traces, or none if there are more than {@code limit}: in a partial trace, spans would seem to
     * have no parents.
     */
    Uni<List<SpanTreeUpdater.SpanTree.Node>> ofTraces(SqlConnection connection, UUID tenantId, Collection<UUID> traces,
            int limit) {
        return connection.preparedQuery(OF_TRACES)
                .execute(Tuple.of(tenantId, array(traces), limit + 1))
                .map(rows -> rows.size() > limit ? List.of() : nodes(rows));
    }

    Uni<Void> deleteOlderThan(SqlConnection connection, Duration age) {
        return connection.preparedQuery(DELETE)
                .execute(Tuple.of((double) age.toSeconds()))
                .replaceWithVoid();
    }

    private static UUID[] array(Collection<UUID> ids) {
        return ids.toArray(UUID[]::new);
    }

    private static List<SpanTreeUpdater.SpanTree.Node> nodes(Iterable<Row> rows) {
        List<SpanTreeUpdater.SpanTree.Node> nodes = new ArrayList<>();
        for (Row row : rows) {
            nodes.add(new SpanTreeUpdater.SpanTree.Node(row.getUUID("trace_id"), row.getUUID("id"), row.getUUID("parent_id"),
                    row.getOffsetDateTime("start_time").toInstant(), row.getBoolean("root")));
        }
        return nodes;
    }
}
