package dev.waybill.experiment.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import dev.waybill.common.trace.RunSize;
import dev.waybill.experiment.partition.MissingPartitionException;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
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
    private final RunLocationRepository locations;

    TraceWriter(EarlyPatchRepository earlyPatches, RunLocationRepository locations) {
        this.earlyPatches = earlyPatches;
        this.locations = locations;
    }

    /**
     * Inserts new runs; runs that exist remain unchanged.
     *
     * @throws MissingPartitionException if the partition of a run does not exist
     */
    public Uni<Void> insert(SqlConnection connection, UUID tenantId, List<RunFields> runs) {
        runs.forEach(RunSizeLimit::check);
        return locations.insertNew(connection, tenantId, sortedById(runs))
                .chain(inserted -> inChunks(inserted, chunk -> connection.preparedQuery(TraceStatements.INSERT)
                        .execute(RunColumns.forInsert(tenantId, chunk))
                        .replaceWithVoid()))
                .onFailure(MissingPartitionException::isReportedBy).transform(e -> missingPartition(runs));
    }

    /**
     * Applies the patches of a batch and the stored early patches of its new runs. Patches of missing runs are stored,
     * which requires {@link LockMode#EXCLUSIVE}: a run that is inserted concurrently would miss them.
     *
     * @throws EarlyPatchException if patches must be stored and the lock is shared
     * @throws MissingPartitionException if the partition of a new start time does not exist
     */
    public Uni<Void> patch(SqlConnection connection, UUID tenantId, RunBatch batch, LockMode lockMode) {
        return earlyPatches.deleteByRun(connection, tenantId, batch.posts())
                .chain(stored -> apply(connection, tenantId, merged(stored, batch.patches()), lockMode));
    }

    /** Changes the positions of existing runs in their traces; {@code dottedOrders} by run id. */
    public Uni<Void> changeDottedOrders(SqlConnection connection, UUID tenantId, Map<UUID, String> dottedOrders) {
        if (dottedOrders.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        Map<UUID, RunFields> moved = new TreeMap<>();
        dottedOrders.forEach((id, dottedOrder) -> moved.put(id, RunFields.atDottedOrder(dottedOrder)));
        return locations.lock(connection, tenantId, dottedOrders.keySet())
                .chain(existing -> inChunks(existingOnly(moved, existing.keySet()), chunk -> connection
                        .preparedQuery(TraceStatements.MOVE)
                        .execute(RunColumns.forMove(tenantId, chunk, existing))
                        .replaceWithVoid()));
    }

    private Uni<Void> apply(SqlConnection connection, UUID tenantId, Map<UUID, RunFields> patches, LockMode lockMode) {
        if (patches.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return locations.lock(connection, tenantId, patches.keySet())
                .call(existing -> storeEarly(connection, tenantId, missingOnly(patches, existing.keySet()), lockMode))
                .chain(existing -> update(connection, tenantId, existing, existingOnly(patches, existing.keySet())));
    }

    private Uni<Void> update(SqlConnection connection, UUID tenantId, Map<UUID, RunLocation> existing,
            List<RunFields> patches) {
        return locations.updateStartTimes(connection, tenantId, patches)
                .chain(() -> inChunks(patches, chunk -> connection.preparedQuery(TraceStatements.UPDATE)
                        .execute(RunColumns.forUpdate(tenantId, chunk, existing))
                        .replaceWithVoid()))
                .chain(() -> checkSizes(connection, tenantId, patches))
                .onFailure(MissingPartitionException::isReportedBy).transform(e -> missingPartition(patches));
    }

    // The size of the merged run is known after the update; the failure rolls back the whole batch.
    private static Uni<Void> checkSizes(SqlConnection connection, UUID tenantId, List<RunFields> patches) {
        UUID[] large = patches.stream()
                .filter(patch -> RunSizeLimit.bytes(patch) > RunSizeLimit.UNCHECKED_PATCH_BYTES)
                .map(RunFields::id)
                .toArray(UUID[]::new);
        return large.length == 0 ? Uni.createFrom().voidItem()
                : connection.preparedQuery(RunSizeLimit.TOO_LARGE)
                        .execute(Tuple.of(tenantId, large, RunSize.MAX_BYTES))
                        .invoke(found -> found.forEach(row -> {
                            throw RunSizeLimit.tooLarge(row.getUUID(0), row.getLong(1));
                        }))
                        .replaceWithVoid();
    }

    private Uni<Void> storeEarly(SqlConnection connection, UUID tenantId, List<RunFields> early, LockMode lockMode) {
        if (early.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        early.forEach(RunSizeLimit::check);
        return lockMode == LockMode.EXCLUSIVE
                ? earlyPatches.insert(connection, tenantId, early)
                : Uni.createFrom().failure(new EarlyPatchException());
    }

    private static MissingPartitionException missingPartition(List<RunFields> runs) {
        return new MissingPartitionException(runs.stream().map(run -> run.startTime).filter(Objects::nonNull).toList());
    }

    // Uses the first of several new runs with the same id in a batch.
    private static List<RunFields> sortedById(List<RunFields> runs) {
        Map<UUID, RunFields> sortedById = new TreeMap<>();
        runs.forEach(run -> sortedById.putIfAbsent(run.id(), run));
        return List.copyOf(sortedById.values());
    }

    // Merges the patches of each run; later ones take precedence.
    private static Map<UUID, RunFields> merged(List<RunFields> stored, List<RunFields> sent) {
        Map<UUID, RunFields> merged = new TreeMap<>();
        for (List<RunFields> patches : List.of(stored, sent)) {
            for (RunFields update : patches) {
                RunFields earlier = merged.put(update.id(), update);
                if (earlier != null) {
                    update.addMissing(earlier);
                }
            }
        }
        return merged;
    }

    private static List<RunFields> missingOnly(Map<UUID, RunFields> patches, Set<UUID> existing) {
        return patches.values().stream().filter(patch -> !existing.contains(patch.id())).toList();
    }

    private static List<RunFields> existingOnly(Map<UUID, RunFields> patches, Set<UUID> existing) {
        return patches.values().stream().filter(patch -> existing.contains(patch.id())).toList();
    }

    private static Uni<Void> inChunks(List<RunFields> runs, Function<List<RunFields>, Uni<Void>> write) {
        return Multi.createFrom().iterable(chunks(runs))
                .onItem().transformToUniAndConcatenate(chunk -> write.apply(chunk))
                .onItem().ignoreAsUni();
    }

    private static List<List<RunFields>> chunks(List<RunFields> runs) {
        List<List<RunFields>> chunks = new ArrayList<>();
        List<RunFields> chunk = new ArrayList<>();
        long bytes = 0;
        for (RunFields run : runs) {
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
}
