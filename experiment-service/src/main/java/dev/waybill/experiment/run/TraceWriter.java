package dev.waybill.experiment.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Writes runs in sets, inside the caller's transaction. Rows are always touched in the order of their ids, so that two batches
 * with
 * the same runs wait for each other and do not deadlock.
 */
@Singleton
public class TraceWriter {

    // A statement's parameters are held once more while they are sent; this keeps that small however large a batch is.
    private static final int BYTES_IN_ONE_STATEMENT = 4 * 1024 * 1024;
    private static final int ROWS_IN_ONE_STATEMENT = 500;

    private final EarlyPatches earlyPatches;

    TraceWriter(EarlyPatches earlyPatches) {
        this.earlyPatches = earlyPatches;
    }

    /** Stores new runs; those that are there already stay as they are. */
    public Uni<Void> insert(SqlConnection connection, UUID tenantId, List<RunFields> runs) {
        List<RunFields> ordered = runs.stream().sorted(Comparator.comparing(RunFields::id)).toList();
        return inPieces(ordered, piece -> connection.preparedQuery(TraceStatements.INSERT)
                .execute(RunColumns.forInsert(tenantId, piece))
                .replaceWithVoid());
    }

    /**
     * Makes the changes that were sent for runs, and those that had come before the runs in {@code posted}. Changes of runs
     * that
     * are not there yet are kept; that needs {@link Isolation#ALONE}, or a run posted at the same moment would not see them.
     *
     * @throws EarlyPatchException when changes must be kept and others may be writing
     */
    public Uni<Void> patch(SqlConnection connection, UUID tenantId, RunBatch batch, Isolation isolation) {
        return earlyPatches.take(connection, tenantId, batch.posts())
                .chain(kept -> apply(connection, tenantId, merged(kept, batch.patches()), isolation));
    }

    /** Gives runs that are there other places in their traces; {@code dottedOrders} by their ids. */
    public Uni<Void> move(SqlConnection connection, UUID tenantId, Map<UUID, String> dottedOrders) {
        if (dottedOrders.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        List<RunFields> moved = new TreeMap<>(dottedOrders).values().stream().map(RunFields::placedAt).toList();
        return lock(connection, tenantId, dottedOrders.keySet())
                .chain(() -> inPieces(moved, piece -> connection.preparedQuery(TraceStatements.MOVE)
                        .execute(RunColumns.forMove(tenantId, piece))
                        .replaceWithVoid()));
    }

    private Uni<Void> apply(SqlConnection connection, UUID tenantId, Map<UUID, RunFields> patches, Isolation isolation) {
        if (patches.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return lock(connection, tenantId, patches.keySet())
                .chain(there -> keep(connection, tenantId, without(patches, there), isolation).replaceWith(there))
                .map(there -> there.stream().map(id -> RunFields.require(patches.get(id))).toList())
                .chain(there -> inPieces(there, piece -> connection.preparedQuery(TraceStatements.UPDATE)
                        .execute(RunColumns.forUpdate(tenantId, piece))
                        .replaceWithVoid()));
    }

    private Uni<Void> keep(SqlConnection connection, UUID tenantId, List<RunFields> early, Isolation isolation) {
        if (early.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return isolation == Isolation.ALONE
                ? earlyPatches.keep(connection, tenantId, early)
                : Uni.createFrom().failure(new EarlyPatchException());
    }

    private static Uni<List<UUID>> lock(SqlConnection connection, UUID tenantId, Set<UUID> ids) {
        return connection.preparedQuery(TraceStatements.LOCK)
                .execute(Tuple.of(tenantId, ids.toArray(UUID[]::new)))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> row.getUUID(0))
                        .collect(Collectors.toList()));
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

    private static List<RunFields> without(Map<UUID, RunFields> patches, List<UUID> there) {
        Map<UUID, RunFields> missing = new LinkedHashMap<>(patches);
        missing.keySet().removeAll(Set.copyOf(there));
        return List.copyOf(missing.values());
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
