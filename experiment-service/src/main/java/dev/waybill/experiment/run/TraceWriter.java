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
 * Writes runs in sets, inside the caller's transaction. Places are always touched first and in the order of their ids, so that
 * two batches with the same runs wait for each other and do not deadlock.
 */
@Singleton
public class TraceWriter {

    // A statement's parameters are held once more while they are sent; this keeps that small however large a batch is.
    private static final int BYTES_IN_ONE_STATEMENT = 4 * 1024 * 1024;
    private static final int ROWS_IN_ONE_STATEMENT = 500;

    private final EarlyPatchRepository earlyPatches;
    private final RunLocationRepository places;

    TraceWriter(EarlyPatchRepository earlyPatches, RunLocationRepository places) {
        this.earlyPatches = earlyPatches;
        this.places = places;
    }

    /**
     * Stores new runs; those that are there already stay as they are.
     *
     * @throws MissingPartitionException when there is no partition yet for some of them
     */
    public Uni<Void> insert(SqlConnection connection, UUID tenantId, List<RunFields> runs) {
        runs.forEach(RunSizeLimit::check);
        return places.take(connection, tenantId, ordered(runs))
                .chain(taken -> inPieces(taken, piece -> connection.preparedQuery(TraceStatements.INSERT)
                        .execute(RunColumns.forInsert(tenantId, piece))
                        .replaceWithVoid()))
                .onFailure(MissingPartitionException::isReportedBy).transform(e -> missing(runs));
    }

    /**
     * Makes the changes that were sent for runs, and those that had come before the runs in {@code posted}. Changes of runs
     * that
     * are not there yet are kept; that needs {@link LockMode#ALONE}, or a run posted at the same moment would not see them.
     *
     * @throws EarlyPatchException when changes must be kept and others may be writing
     * @throws MissingPartitionException when there is no partition yet for a start time that is told
     */
    public Uni<Void> patch(SqlConnection connection, UUID tenantId, RunBatch batch, LockMode lockMode) {
        return earlyPatches.take(connection, tenantId, batch.posts())
                .chain(kept -> apply(connection, tenantId, merged(kept, batch.patches()), lockMode));
    }

    /** Gives runs that are there other places in their traces; {@code dottedOrders} by their ids. */
    public Uni<Void> move(SqlConnection connection, UUID tenantId, Map<UUID, String> dottedOrders) {
        if (dottedOrders.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        Map<UUID, RunFields> moved = new TreeMap<>();
        dottedOrders.forEach((id, dottedOrder) -> moved.put(id, RunFields.atDottedOrder(dottedOrder)));
        return places.lock(connection, tenantId, dottedOrders.keySet())
                .chain(there -> inPieces(within(moved, there.keySet()), piece -> connection
                        .preparedQuery(TraceStatements.MOVE)
                        .execute(RunColumns.forMove(tenantId, piece, there))
                        .replaceWithVoid()));
    }

    private Uni<Void> apply(SqlConnection connection, UUID tenantId, Map<UUID, RunFields> patches, LockMode lockMode) {
        if (patches.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return places.lock(connection, tenantId, patches.keySet())
                .call(there -> keep(connection, tenantId, without(patches, there.keySet()), lockMode))
                .chain(there -> change(connection, tenantId, there, within(patches, there.keySet())));
    }

    private Uni<Void> change(SqlConnection connection, UUID tenantId, Map<UUID, RunLocation> there, List<RunFields> patches) {
        return places.move(connection, tenantId, patches)
                .chain(() -> inPieces(patches, piece -> connection.preparedQuery(TraceStatements.UPDATE)
                        .execute(RunColumns.forUpdate(tenantId, piece, there))
                        .replaceWithVoid()))
                .chain(() -> checkSizes(connection, tenantId, patches))
                .onFailure(MissingPartitionException::isReportedBy).transform(e -> missing(patches));
    }

    // What a change adds up to is known once it is made; the failure takes it back with all of the batch.
    private static Uni<Void> checkSizes(SqlConnection connection, UUID tenantId, List<RunFields> patches) {
        UUID[] large = patches.stream()
                .filter(patch -> RunSizeLimit.bytes(patch) > RunSizeLimit.MEASURED_CHANGE)
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

    private Uni<Void> keep(SqlConnection connection, UUID tenantId, List<RunFields> early, LockMode lockMode) {
        if (early.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        early.forEach(RunSizeLimit::check);
        return lockMode == LockMode.EXCLUSIVE
                ? earlyPatches.keep(connection, tenantId, early)
                : Uni.createFrom().failure(new EarlyPatchException());
    }

    private static MissingPartitionException missing(List<RunFields> runs) {
        return new MissingPartitionException(runs.stream().map(run -> run.startTime).filter(Objects::nonNull).toList());
    }

    // Of runs that were sent twice in a batch the first counts.
    private static List<RunFields> ordered(List<RunFields> runs) {
        Map<UUID, RunFields> ordered = new TreeMap<>();
        runs.forEach(run -> ordered.putIfAbsent(run.id(), run));
        return List.copyOf(ordered.values());
    }

    // One change for each run: what came later wins.
    private static Map<UUID, RunFields> merged(List<RunFields> kept, List<RunFields> sent) {
        Map<UUID, RunFields> merged = new TreeMap<>();
        for (List<RunFields> changes : List.of(kept, sent)) {
            for (RunFields change : changes) {
                RunFields earlier = merged.put(change.id(), change);
                if (earlier != null) {
                    change.fillFrom(earlier);
                }
            }
        }
        return merged;
    }

    private static List<RunFields> without(Map<UUID, RunFields> patches, Set<UUID> there) {
        return patches.values().stream().filter(patch -> !there.contains(patch.id())).toList();
    }

    private static List<RunFields> within(Map<UUID, RunFields> patches, Set<UUID> there) {
        return patches.values().stream().filter(patch -> there.contains(patch.id())).toList();
    }

    private static Uni<Void> inPieces(List<RunFields> runs, Function<List<RunFields>, Uni<Void>> write) {
        return Multi.createFrom().iterable(pieces(runs))
                .onItem().transformToUniAndConcatenate(piece -> write.apply(piece))
                .onItem().ignoreAsUni();
    }

    private static List<List<RunFields>> pieces(List<RunFields> runs) {
        List<List<RunFields>> pieces = new ArrayList<>();
        List<RunFields> piece = new ArrayList<>();
        long bytes = 0;
        for (RunFields run : runs) {
            if (!piece.isEmpty() && (bytes + run.size() > BYTES_IN_ONE_STATEMENT || piece.size() == ROWS_IN_ONE_STATEMENT)) {
                pieces.add(piece);
                piece = new ArrayList<>();
                bytes = 0;
            }
            piece.add(run);
            bytes += run.size();
        }
        if (!piece.isEmpty()) {
            pieces.add(piece);
        }
        return pieces;
    }
}
