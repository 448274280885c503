package dev.waybill.experiment.run;

import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Where runs are. The table of runs is partitioned by time and cannot hold by itself that an id is given once
 * (docs/decisions/0023); this one does, and who writes a run takes or locks its place first.
 */
@Singleton
class RunPlaces {

    private static final String TAKE = """
            INSERT INTO trace.run_places (tenant_id, id, session_id, start_time)
            SELECT $1, unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::timestamptz[])
            ON CONFLICT (tenant_id, id) DO NOTHING
            RETURNING id
            """;

    private static final String LOCK = """
            SELECT id, session_id, start_time FROM trace.run_places
            WHERE tenant_id = $1 AND id = ANY($2) ORDER BY id FOR NO KEY UPDATE
            """;

    // Most changes that tell a start time tell the one that the run has.
    private static final String MOVE = """
            UPDATE trace.run_places AS place SET start_time = told.start_time
            FROM unnest($2::uuid[], $3::timestamptz[]) AS told (id, start_time)
            WHERE place.tenant_id = $1 AND place.id = told.id AND place.start_time <> told.start_time
            """;

    /** Gives these runs, ordered by their ids, their places; answers those that are new. */
    Uni<List<RunFields>> take(SqlConnection connection, UUID tenantId, List<RunFields> runs) {
        if (runs.isEmpty()) {
            return Uni.createFrom().item(runs);
        }
        return connection.preparedQuery(TAKE)
                .execute(RunColumns.forPlaces(tenantId, runs))
                .map(rows -> {
                    Set<UUID> taken = HashSet.newHashSet(rows.size());
                    rows.forEach(row -> taken.add(row.getUUID(0)));
                    return taken.size() == runs.size() ? runs
                            : runs.stream().filter(run -> taken.contains(run.id())).toList();
                });
    }

    /** Locks the places of those runs that are there. */
    Uni<Map<UUID, RunPlace>> lock(SqlConnection connection, UUID tenantId, Set<UUID> ids) {
        return connection.preparedQuery(LOCK)
                .execute(Tuple.of(tenantId, ids.toArray(UUID[]::new)))
                .map(rows -> {
                    Map<UUID, RunPlace> places = HashMap.newHashMap(rows.size());
                    rows.forEach(row -> places.put(row.getUUID(0), new RunPlace(row.getUUID(1), row.getOffsetDateTime(2))));
                    return places;
                });
    }

    /** Notes the start times that locked runs are about to get. */
    Uni<Void> move(SqlConnection connection, UUID tenantId, List<RunFields> patches) {
        List<RunFields> told = patches.stream()
                .filter(patch -> patch.startTime != null)
                .toList();
        if (told.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return connection.preparedQuery(MOVE)
                .execute(Tuple.of(tenantId, told.stream().map(RunFields::id).toArray(UUID[]::new),
                        told.stream().map(patch -> RunColumns.utc(patch.startTime)).toArray(OffsetDateTime[]::new)))
                .replaceWithVoid();
    }
}
