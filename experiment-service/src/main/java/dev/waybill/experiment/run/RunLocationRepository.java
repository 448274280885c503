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
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Where runs are. The table of runs is partitioned by time and cannot hold by itself that an id is given once
 * (docs/decisions/0023); this one does, and who writes a run takes or locks its place first.
 */
@Singleton
class RunLocationRepository {

    private static final String TAKE = """
            INSERT INTO trace.run_places (tenant_id, id, session_id, start_time)
            SELECT $1, unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::timestamptz[])
            ON CONFLICT (tenant_id, id) DO NOTHING
            RETURNING id
            """;

    // Ids of runs in removed sessions are free, though their rows are still to be deleted.
    private static final String FREE = """
            WITH freed AS (
                DELETE FROM trace.run_places place USING trace.session_removals removed
                WHERE removed.tenant_id = $1 AND place.tenant_id = $1 AND place.id = ANY($2)
                    AND place.session_id = removed.session_id
                RETURNING place.id, place.session_id, place.start_time),
            files AS (DELETE FROM trace.attachments USING freed WHERE tenant_id = $1 AND run_id = freed.id),
            feedback AS (
                DELETE FROM trace.feedback f USING freed
                WHERE f.tenant_id = $1 AND f.run_id = freed.id AND f.session_id = freed.session_id),
            rows AS (
                DELETE FROM trace.runs r USING freed WHERE r.tenant_id = $1 AND r.session_id = freed.session_id
                    AND r.start_time = freed.start_time AND r.id = freed.id)
            SELECT FROM freed
            """;

    private static final String LOCK = """
            SELECT id, session_id, start_time FROM trace.run_places AS place
            WHERE tenant_id = $1 AND id = ANY($2) AND {not_removed} ORDER BY id FOR NO KEY UPDATE OF place
            """.replace("{not_removed}", RemovedSessions.excludedFrom("place"));

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
        return insert(connection, tenantId, runs)
                .chain(taken -> taken.size() == runs.size()
                        ? Uni.createFrom().item(runs)
                        : takeFreed(connection, tenantId, runs, taken));
    }

    // Some were there already: most were sent before, some may belong to removed sessions. All are tried again, since those
    // may have been deleted while this waited.
    private static Uni<List<RunFields>> takeFreed(SqlConnection connection, UUID tenantId, List<RunFields> runs,
            Set<UUID> taken) {
        List<RunFields> known = runs.stream().filter(run -> !taken.contains(run.id())).toList();
        return connection.preparedQuery(FREE)
                .execute(Tuple.of(tenantId, known.stream().map(RunFields::id).toArray(UUID[]::new)))
                .chain(() -> insert(connection, tenantId, known))
                .map(more -> runs.stream().filter(run -> taken.contains(run.id()) || more.contains(run.id())).toList());
    }

    private static Uni<Set<UUID>> insert(SqlConnection connection, UUID tenantId, List<RunFields> runs) {
        return connection.preparedQuery(TAKE)
                .execute(RunColumns.forPlaces(tenantId, runs))
                .map(RunLocationRepository::ids);
    }

    private static Set<UUID> ids(RowSet<Row> rows) {
        Set<UUID> ids = HashSet.newHashSet(rows.size());
        rows.forEach(row -> ids.add(row.getUUID(0)));
        return ids;
    }

    /** Locks the places of those runs that are there. */
    Uni<Map<UUID, RunLocation>> lock(SqlConnection connection, UUID tenantId, Set<UUID> ids) {
        return connection.preparedQuery(LOCK)
                .execute(Tuple.of(tenantId, ids.toArray(UUID[]::new)))
                .map(rows -> {
                    Map<UUID, RunLocation> places = HashMap.newHashMap(rows.size());
                    rows.forEach(row -> places.put(row.getUUID(0), new RunLocation(row.getUUID(1), row.getOffsetDateTime(2))));
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
