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
 * Maps run ids to the keys of their rows. The partitioned table of runs cannot enforce unique ids
 * (docs/decisions/0023), so this table does; writers of a run insert or lock its location first.
 */
@Singleton
class RunLocationRepository {

    private static final String INSERT = """
            INSERT INTO trace.run_places (tenant_id, id, session_id, start_time)
            SELECT $1, unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::timestamptz[])
            ON CONFLICT (tenant_id, id) DO NOTHING
            RETURNING id
            """;

    // Ids of runs in removed sessions can be reused before the rows are deleted in the background.
    private static final String DELETE_REMOVED = """
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

    // Most patches with a start time repeat the stored one.
    private static final String UPDATE_START_TIME = """
            UPDATE trace.run_places AS place SET start_time = patch.start_time
            FROM unnest($2::uuid[], $3::timestamptz[]) AS patch (id, start_time)
            WHERE place.tenant_id = $1 AND place.id = patch.id AND place.start_time <> patch.start_time
            """;

    /** Inserts the locations of these runs, ordered by id; returns the runs that are new. */
    Uni<List<RunFields>> insertNew(SqlConnection connection, UUID tenantId, List<RunFields> runs) {
        if (runs.isEmpty()) {
            return Uni.createFrom().item(runs);
        }
        return insert(connection, tenantId, runs)
                .chain(inserted -> inserted.size() == runs.size()
                        ? Uni.createFrom().item(runs)
                        : insertFreed(connection, tenantId, runs, inserted));
    }

    // Some ids exist: most were sent before, others belong to removed sessions. Retries all, because the background
    // deletion may have freed some in the meantime.
    private static Uni<List<RunFields>> insertFreed(SqlConnection connection, UUID tenantId, List<RunFields> runs,
            Set<UUID> inserted) {
        List<RunFields> conflicting = runs.stream().filter(run -> !inserted.contains(run.id())).toList();
        return connection.preparedQuery(DELETE_REMOVED)
                .execute(Tuple.of(tenantId, conflicting.stream().map(RunFields::id).toArray(UUID[]::new)))
                .chain(() -> insert(connection, tenantId, conflicting))
                .map(freed -> runs.stream().filter(run -> inserted.contains(run.id()) || freed.contains(run.id())).toList());
    }

    private static Uni<Set<UUID>> insert(SqlConnection connection, UUID tenantId, List<RunFields> runs) {
        return connection.preparedQuery(INSERT)
                .execute(RunColumns.forLocations(tenantId, runs))
                .map(RunLocationRepository::ids);
    }

    private static Set<UUID> ids(RowSet<Row> rows) {
        Set<UUID> ids = HashSet.newHashSet(rows.size());
        rows.forEach(row -> ids.add(row.getUUID(0)));
        return ids;
    }

    /** Locks and returns the locations of the runs that exist. */
    Uni<Map<UUID, RunLocation>> lock(SqlConnection connection, UUID tenantId, Set<UUID> ids) {
        return connection.preparedQuery(LOCK)
                .execute(Tuple.of(tenantId, ids.toArray(UUID[]::new)))
                .map(rows -> {
                    Map<UUID, RunLocation> locations = HashMap.newHashMap(rows.size());
                    rows.forEach(
                            row -> locations.put(row.getUUID(0), new RunLocation(row.getUUID(1), row.getOffsetDateTime(2))));
                    return locations;
                });
    }

    /** Updates the start times of locked runs before the runs themselves. */
    Uni<Void> updateStartTimes(SqlConnection connection, UUID tenantId, List<RunFields> patches) {
        List<RunFields> timed = patches.stream()
                .filter(patch -> patch.startTime != null)
                .toList();
        if (timed.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return connection.preparedQuery(UPDATE_START_TIME)
                .execute(Tuple.of(tenantId, timed.stream().map(RunFields::id).toArray(UUID[]::new),
                        timed.stream().map(patch -> RunColumns.utc(patch.startTime)).toArray(OffsetDateTime[]::new)))
                .replaceWithVoid();
    }
}
