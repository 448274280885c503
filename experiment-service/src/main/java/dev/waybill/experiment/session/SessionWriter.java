package dev.waybill.experiment.session;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Rows;
import dev.waybill.common.id.Ids;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Finds the sessions of received runs or creates them, in the caller's transaction. */
@Singleton
public class SessionWriter {

    // Inserts in order of name, so that concurrent batches with the same new sessions do not deadlock.
    private static final String INSERT_BY_NAME = """
            INSERT INTO trace.sessions (tenant_id, id, name, start_time, created_at, modified_at)
            SELECT $1, n.id, n.name, $4, $4, $4 FROM unnest($2::uuid[], $3::text[]) AS n (id, name) ORDER BY n.name
            ON CONFLICT DO NOTHING
            """;
    // Session names in traces never refer to uploaded experiments, whose runs are complete.
    private static final String FIND_IDS_BY_NAME = """
            SELECT name, id FROM trace.sessions WHERE tenant_id = $1 AND name = ANY($2) AND NOT uploaded
            """;
    private static final String FIND_EXISTING = "SELECT id FROM trace.sessions WHERE tenant_id = $1 AND id = ANY($2)";

    private final Ids ids;
    private final Clock clock;

    SessionWriter(Ids ids, Clock clock) {
        this.ids = ids;
        this.clock = clock;
    }

    /** Returns the ids of the sessions with these names; creates missing sessions. */
    public Uni<Map<String, UUID>> findOrCreate(SqlConnection connection, UUID tenantId, Set<String> names) {
        if (names.isEmpty()) {
            return Uni.createFrom().item(Map.of());
        }
        return findIdsByName(connection, tenantId, names)
                .chain(known -> known.size() == names.size()
                        ? Uni.createFrom().item(known)
                        : createMissing(connection, tenantId, names, known.keySet()));
    }

    /** Requires that all sessions exist in the workspace; responds with 404 otherwise. */
    public Uni<Void> require(SqlConnection connection, UUID tenantId, Set<UUID> requested) {
        if (requested.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return findExisting(connection, tenantId, requested)
                .invoke(existing -> firstMissing(requested, existing).ifPresent(id -> {
                    throw ProblemException.notFound("session", id);
                }))
                .replaceWithVoid();
    }

    private Uni<Map<String, UUID>> createMissing(SqlConnection connection, UUID tenantId, Set<String> names,
            Set<String> known) {
        Set<String> missing = new TreeSet<>(names);
        missing.removeAll(known);
        UUID[] newIds = missing.stream().map(name -> ids.newId()).toArray(UUID[]::new);
        return insertByName(connection,
                Tuple.of(tenantId, newIds, missing.toArray(String[]::new), clock.instant().atOffset(ZoneOffset.UTC)))
                .chain(() -> findIdsByName(connection, tenantId, names));
    }

    private static Optional<UUID> firstMissing(Set<UUID> requested, List<UUID> existing) {
        return requested.stream().filter(id -> !existing.contains(id)).findFirst();
    }

    private static Uni<Map<String, UUID>> findIdsByName(SqlConnection connection, UUID tenantId, Set<String> names) {
        return connection.preparedQuery(FIND_IDS_BY_NAME)
                .execute(Tuple.of(tenantId, names.toArray(String[]::new)))
                .map(rows -> {
                    Map<String, UUID> ids = new LinkedHashMap<>();
                    rows.forEach(row -> ids.put(row.getString(0), row.getUUID(1)));
                    return ids;
                });
    }

    private static Uni<Void> insertByName(SqlConnection connection, Tuple values) {
        return connection.preparedQuery(INSERT_BY_NAME).execute(values).replaceWithVoid();
    }

    private static Uni<List<UUID>> findExisting(SqlConnection connection, UUID tenantId, Set<UUID> ids) {
        return connection.preparedQuery(FIND_EXISTING)
                .execute(Tuple.of(tenantId, ids.toArray(UUID[]::new)))
                .map(rows -> Rows.list(rows, row -> row.getUUID(0)));
    }
}
