package dev.waybill.experiment.run;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import dev.waybill.common.trace.RunSize;
import dev.waybill.experiment.run.TraceTransaction.Lock;
import dev.waybill.experiment.run.TraceTransaction.MissingPartitionException;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Writes batches of runs in the caller's transaction. Run locations are always locked first and in order of id, so that
 * concurrent batches with the same runs do not deadlock.
 */
@Singleton
public class TraceWriter {

    // The database client buffers the parameters of a statement; these limits bound the buffer for batches of any size.
    private static final int MAX_STATEMENT_BYTES = 4 * 1024 * 1024;
    private static final int MAX_STATEMENT_ROWS = 500;

    private final EarlyPatchRepository earlyPatches;
    private final Locations locations = new Locations();

    TraceWriter(EarlyPatchRepository earlyPatches) {
        this.earlyPatches = earlyPatches;
    }

    /**
     * Inserts new runs; runs that exist remain unchanged.
     *
     * @throws MissingPartitionException if the partition of a run does not exist
     */
    public Uni<Void> insert(SqlConnection connection, UUID tenantId, List<ReceivedRun> runs) {
        runs.forEach(RunSizeLimit::check);
        return locations.insertNew(connection, tenantId, sortedById(runs))
                .chain(inserted -> inChunks(inserted, chunk -> connection.preparedQuery(RunStatements.INSERT)
                        .execute(RunStatements.forInsert(tenantId, chunk))
                        .replaceWithVoid()))
                .onFailure(MissingPartitionException::isReportedBy).transform(e -> missingPartition(runs));
    }

    /**
     * Applies patches and the stored early patches of new runs. Patches of missing runs are stored,
     * which requires {@link Lock#EXCLUSIVE}: a run that is inserted concurrently would miss them.
     *
     * @return sessions of the patched runs
     * @throws EarlyPatchException if patches must be stored and the lock is shared
     * @throws MissingPartitionException if the partition of a new start time does not exist
     */
    public Uni<Set<UUID>> patch(SqlConnection connection, UUID tenantId, List<ReceivedRun> newRuns, List<ReceivedRun> patches,
            Lock lock) {
        return earlyPatches.deleteByRun(connection, tenantId, newRuns)
                .chain(stored -> apply(connection, tenantId, merged(stored, patches), lock));
    }

    /** Changes the positions of existing runs in their traces; {@code dottedOrders} by run id. */
    public Uni<Void> changeDottedOrders(SqlConnection connection, UUID tenantId, Map<UUID, String> dottedOrders) {
        if (dottedOrders.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        Map<UUID, ReceivedRun> moved = new TreeMap<>();
        dottedOrders.forEach((id, dottedOrder) -> moved.put(id, ReceivedRun.atDottedOrder(dottedOrder)));
        return locations.lock(connection, tenantId, dottedOrders.keySet())
                .chain(existing -> inChunks(existingOnly(moved, existing.keySet()), chunk -> connection
                        .preparedQuery(RunStatements.MOVE)
                        .execute(RunStatements.forMove(tenantId, chunk, existing))
                        .replaceWithVoid()));
    }

    private Uni<Set<UUID>> apply(SqlConnection connection, UUID tenantId, Map<UUID, ReceivedRun> patches, Lock lock) {
        if (patches.isEmpty()) {
            return Uni.createFrom().item(Set.of());
        }
        return locations.lock(connection, tenantId, patches.keySet())
                .call(existing -> storeEarly(connection, tenantId, missingOnly(patches, existing.keySet()), lock))
                .call(existing -> update(connection, tenantId, existing, existingOnly(patches, existing.keySet())))
                .map(existing -> existing.values().stream()
                        .map(RunStatements.RunLocation::sessionId)
                        .collect(Collectors.toUnmodifiableSet()));
    }

    private Uni<Void> update(SqlConnection connection, UUID tenantId, Map<UUID, RunStatements.RunLocation> existing,
            List<ReceivedRun> patches) {
        return locations.updateStartTimes(connection, tenantId, patches)
                .chain(() -> inChunks(patches, chunk -> connection.preparedQuery(RunStatements.UPDATE)
                        .execute(RunStatements.forUpdate(tenantId, chunk, existing))
                        .replaceWithVoid()))
                .chain(() -> checkSizes(connection, tenantId, patches))
                .onFailure(MissingPartitionException::isReportedBy).transform(e -> missingPartition(patches));
    }

    // The size of the merged run is known after the update; the failure rolls back the whole batch.
    private static Uni<Void> checkSizes(SqlConnection connection, UUID tenantId, List<ReceivedRun> patches) {
        UUID[] large = patches.stream()
                .filter(patch -> RunSizeLimit.bytes(patch) > RunSizeLimit.UNCHECKED_PATCH_BYTES)
                .map(ReceivedRun::id)
                .toArray(UUID[]::new);
        return large.length == 0 ? Uni.createFrom().voidItem()
                : connection.preparedQuery(RunSizeLimit.TOO_LARGE)
                        .execute(Tuple.of(tenantId, large, RunSize.MAX_BYTES))
                        .invoke(found -> found.forEach(row -> {
                            throw RunSizeLimit.tooLarge(row.getUUID(0), row.getLong(1));
                        }))
                        .replaceWithVoid();
    }

    private Uni<Void> storeEarly(SqlConnection connection, UUID tenantId, List<ReceivedRun> early, Lock lock) {
        if (early.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        early.forEach(RunSizeLimit::check);
        return lock == Lock.EXCLUSIVE
                ? earlyPatches.insert(connection, tenantId, early)
                : Uni.createFrom().failure(new EarlyPatchException());
    }

    private static MissingPartitionException missingPartition(List<ReceivedRun> runs) {
        return new MissingPartitionException(runs.stream().map(run -> run.startTime).filter(Objects::nonNull).toList());
    }

    // Uses the first of several new runs with the same id in a batch.
    private static List<ReceivedRun> sortedById(List<ReceivedRun> runs) {
        Map<UUID, ReceivedRun> sortedById = new TreeMap<>();
        runs.forEach(run -> sortedById.putIfAbsent(run.id(), run));
        return List.copyOf(sortedById.values());
    }

    // Merges the patches of each run; later ones take precedence.
    private static Map<UUID, ReceivedRun> merged(List<ReceivedRun> stored, List<ReceivedRun> sent) {
        Map<UUID, ReceivedRun> merged = new TreeMap<>();
        for (List<ReceivedRun> patches : List.of(stored, sent)) {
            for (ReceivedRun update : patches) {
                ReceivedRun earlier = merged.put(update.id(), update);
                if (earlier != null) {
                    update.addMissing(earlier);
                }
            }
        }
        return merged;
    }

    private static List<ReceivedRun> missingOnly(Map<UUID, ReceivedRun> patches, Set<UUID> existing) {
        return patches.values().stream().filter(patch -> !existing.contains(patch.id())).toList();
    }

    private static List<ReceivedRun> existingOnly(Map<UUID, ReceivedRun> patches, Set<UUID> existing) {
        return patches.values().stream().filter(patch -> existing.contains(patch.id())).toList();
    }

    private static Uni<Void> inChunks(List<ReceivedRun> runs, Function<List<ReceivedRun>, Uni<Void>> write) {
        return Multi.createFrom().iterable(chunks(runs))
                .onItem().transformToUniAndConcatenate(chunk -> write.apply(chunk))
                .onItem().ignoreAsUni();
    }

    private static List<List<ReceivedRun>> chunks(List<ReceivedRun> runs) {
        List<List<ReceivedRun>> chunks = new ArrayList<>();
        List<ReceivedRun> chunk = new ArrayList<>();
        long bytes = 0;
        for (ReceivedRun run : runs) {
            if (!chunk.isEmpty() && (bytes + run.size() > MAX_STATEMENT_BYTES || chunk.size() == MAX_STATEMENT_ROWS)) {
                chunks.add(chunk);
                chunk = new ArrayList<>();
                bytes = 0;
            }
            chunk.add(run);
            bytes += run.size();
        }
        if (!chunk.isEmpty()) {
            chunks.add(chunk);
        }
        return chunks;
    }

    /** Signals that a patch arrived before its run; the batch must be written again under the exclusive workspace lock. */
    public static final class EarlyPatchException extends RuntimeException {

        EarlyPatchException() {
            super("a patch arrived before its run", null, false, false);
        }
    }

    /**
     * Maps run ids to the keys of their rows. The partitioned table of runs cannot enforce unique ids
     * (docs/decisions/0023), so this table does; writers of a run insert or lock its location first.
     */
    private static final class Locations {

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
        Uni<List<ReceivedRun>> insertNew(SqlConnection connection, UUID tenantId, List<ReceivedRun> runs) {
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
        private static Uni<List<ReceivedRun>> insertFreed(SqlConnection connection, UUID tenantId, List<ReceivedRun> runs,
                Set<UUID> inserted) {
            List<ReceivedRun> conflicting = runs.stream().filter(run -> !inserted.contains(run.id())).toList();
            return connection.preparedQuery(DELETE_REMOVED)
                    .execute(Tuple.of(tenantId, conflicting.stream().map(ReceivedRun::id).toArray(UUID[]::new)))
                    .chain(() -> insert(connection, tenantId, conflicting))
                    .map(freed -> runs.stream().filter(run -> inserted.contains(run.id()) || freed.contains(run.id()))
                            .toList());
        }

        private static Uni<Set<UUID>> insert(SqlConnection connection, UUID tenantId, List<ReceivedRun> runs) {
            return connection.preparedQuery(INSERT)
                    .execute(RunStatements.forLocations(tenantId, runs))
                    .map(Locations::ids);
        }

        private static Set<UUID> ids(RowSet<Row> rows) {
            Set<UUID> ids = HashSet.newHashSet(rows.size());
            rows.forEach(row -> ids.add(row.getUUID(0)));
            return ids;
        }

        /** Locks and returns the locations of the runs that exist. */
        Uni<Map<UUID, RunStatements.RunLocation>> lock(SqlConnection connection, UUID tenantId, Set<UUID> ids) {
            return connection.preparedQuery(LOCK)
                    .execute(Tuple.of(tenantId, ids.toArray(UUID[]::new)))
                    .map(rows -> {
                        Map<UUID, RunStatements.RunLocation> locations = HashMap.newHashMap(rows.size());
                        rows.forEach(
                                row -> locations.put(row.getUUID(0),
                                        new RunStatements.RunLocation(row.getUUID(1), row.getOffsetDateTime(2))));
                        return locations;
                    });
        }

        /** Updates the start times of locked runs before the runs themselves. */
        Uni<Void> updateStartTimes(SqlConnection connection, UUID tenantId, List<ReceivedRun> patches) {
            List<ReceivedRun> timed = patches.stream()
                    .filter(patch -> patch.startTime != null)
                    .toList();
            if (timed.isEmpty()) {
                return Uni.createFrom().voidItem();
            }
            return connection.preparedQuery(UPDATE_START_TIME)
                    .execute(Tuple.of(tenantId, timed.stream().map(ReceivedRun::id).toArray(UUID[]::new),
                            timed.stream().map(patch -> RunStatements.utc(patch.startTime)).toArray(OffsetDateTime[]::new)))
                    .replaceWithVoid();
        }
    }
}
