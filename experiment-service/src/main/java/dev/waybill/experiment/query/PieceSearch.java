package dev.waybill.experiment.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;

import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.experiment.lake.LakeDay;
import dev.waybill.experiment.query.RunCursor.RunKey;
import dev.waybill.experiment.query.RunQueryParser.RunQuery;
import dev.waybill.experiment.query.RunSearch.Limits;
import dev.waybill.experiment.query.RunSearch.PageQuery;
import dev.waybill.experiment.query.RunSearch.Piece;
import dev.waybill.experiment.query.RunSearch.RunPage;
import io.smallrye.mutiny.Uni;

/**
 * Searches one page of runs in pieces, in page order, in the lake and in PostgreSQL. The sizes of the pieces depend on the
 * durations of those before (docs/decisions/0177, 0179).
 */
final class PieceSearch {

    private static final int MAX_FACTOR = 8;
    private static final int MAX_ROWS = 1 << 17;

    /** Time of a statement of the lake with its confirmation, whatever the size of the files. */
    private static final long LAKE_STATEMENT_NANOS = 100_000_000;
    private static final double MIN_MEASURED_BYTES = 1 << 20;

    private final DatabaseSearch database;
    private final LakeSearch lake;
    private final Limits limits;
    private final LongSupplier nanoTime;
    private final UUID tenantId;
    private final RunQuery query;
    private final boolean mayBeEmpty;
    private final LakePlan plan;
    private final long startedAt;
    private final List<RunResponse> found = new ArrayList<>();
    private Optional<RunKey> searchedTo = Optional.empty();
    private long bytes;
    private int rows;
    private int lakePieces;
    private double lakeNanosPerByte;
    private boolean indexesExclude = true;

    /** @param plan days to search in the lake; the search changes it */
    PieceSearch(DatabaseSearch database, LakeSearch lake, Limits limits, LongSupplier nanoTime, PageQuery page, LakePlan plan) {
        this.database = database;
        this.lake = lake;
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.tenantId = page.tenantId();
        this.query = page.query();
        this.mayBeEmpty = page.mayBeEmpty();
        this.plan = plan;
        this.startedAt = nanoTime.getAsLong();
        this.rows = limits.firstRows();
    }

    /** Returns the page; may be called once. */
    Uni<RunPage> page() {
        return nextPiece();
    }

    private Uni<RunPage> nextPiece() {
        long now = nanoTime.getAsLong();
        // Once a text is in most rows of a day, the indexes of other days are not asked in advance any more.
        List<LakeDay> days = indexesExclude ? plan.daysAfter(position()) : List.of();
        return days.isEmpty() ? nextPiece(now)
                : lake.countExcluded(query, days, Duration.ofNanos(lakeTimeout(now)))
                        .invoke(count -> {
                            indexesExclude = count > 0;
                            plan.exclude(count);
                        })
                        .chain(() -> nextPiece(nanoTime.getAsLong()));
    }

    private Uni<RunPage> nextPiece(long now) {
        // As the ranges before, the next one takes at most half of the time that is left.
        double affordable = left(now) / 2.0 / lakeNanosPerByte;
        return plan.rangeAfter(position(), affordable > 0 ? (long) affordable : Long.MAX_VALUE)
                .map(this::nextPieceOfLake).orElseGet(this::nextPieceOfDatabase);
    }

    // The rest of the time is for PostgreSQL, if the lake cannot be read.
    private long lakeTimeout(long now) {
        return Math.max(0, left(now)) * 2 / 3;
    }

    private Uni<RunPage> nextPieceOfLake(LakeRange range) {
        long pieceStartedAt = nanoTime.getAsLong();
        long timeout = lakeTimeout(pieceStartedAt);
        if (mayEnd() && lakeNanosPerByte * range.bytes() > timeout) {
            return Uni.createFrom().item(interrupted());
        }
        return lake.piece(tenantId, remaining(Optional.empty()), range, RunQueryService.MAX_PAGE_BYTES - bytes, lakePieces++,
                Duration.ofNanos(timeout)).chain(piece -> {
                    long now = nanoTime.getAsLong();
                    lakeNanosPerByte = Math.max(0, now - pieceStartedAt - LAKE_STATEMENT_NANOS)
                            / Math.max(MIN_MEASURED_BYTES, range.bytes());
                    if (piece.isPresent()) {
                        return add(piece.get(), now).orElseGet(() -> {
                            plan.grow(range, found.size(), query.limit());
                            return nextPiece();
                        });
                    }
                    plan.failed(range);
                    indexesExclude &= range.days().size() == 1;
                    return searchedTo.isPresent() && left(now) <= 0 ? Uni.createFrom().item(interrupted()) : nextPiece();
                });
    }

    private Optional<RunKey> position() {
        return searchedTo.or(query::after);
    }

    private RunQuery remaining(Optional<RunKey> last) {
        return query.between(position(), last, query.limit() - found.size());
    }

    private Uni<RunPage> nextPieceOfDatabase() {
        long pieceStartedAt = nanoTime.getAsLong();
        long left = left(pieceStartedAt);
        // A single run gets all of the time.
        Duration timeout = Duration.ofNanos(rows == 1 ? left : Math.min(left, limits.piece().toNanos()));
        RunQuery remaining = remaining(plan.endBeforeLake(position()));
        return database.piece(tenantId, remaining, rows, RunQueryService.MAX_PAGE_BYTES - bytes, timeout)
                .map(Optional::of)
                .onFailure(this::canContinueAfter).recoverWithItem(Optional::empty)
                .chain(piece -> {
                    long now = nanoTime.getAsLong();
                    return piece.isPresent() ? add(piece.get(), now).orElseGet(() -> adapt(now - pieceStartedAt))
                            : retryWithFewerRuns(now);
                });
    }

    // A page must not end before its first run, because the next page would begin with it again.
    private boolean canContinueAfter(Throwable failure) {
        return RunSearch.isTimeout(failure) && (rows > 1 || searchedTo.isPresent());
    }

    // Returns the page if it ends with this piece.
    private Optional<Uni<RunPage>> add(Piece piece, long now) {
        found.addAll(piece.found().runs());
        bytes += piece.found().bytes();
        if (piece.found().hasMore() || piece.last().isEmpty()) {
            return Optional.of(Uni.createFrom().item(RunPage.of(found, piece.found().hasMore())));
        }
        searchedTo = piece.last();
        if (found.size() == query.limit() || bytes >= RunQueryService.MAX_PAGE_BYTES) {
            return Optional.of(Uni.createFrom().item(new RunPage(found, searchedTo, Optional.empty())));
        }
        return left(now) <= 0 ? Optional.of(Uni.createFrom().item(interrupted())) : Optional.empty();
    }

    private Uni<RunPage> adapt(long duration) {
        double factor = limits.piece().toNanos() / 3.0 / Math.max(1, duration);
        rows = (int) Math.clamp(rows * Math.clamp(factor, 1.0 / MAX_FACTOR, MAX_FACTOR), 1, MAX_ROWS);
        return nextPiece();
    }

    private Uni<RunPage> retryWithFewerRuns(long now) {
        if (searchedTo.isPresent() && (rows == 1 || left(now) <= 0)) {
            return Uni.createFrom().item(interrupted());
        }
        rows = Math.max(1, rows / MAX_FACTOR);
        return nextPiece();
    }

    private RunPage interrupted() {
        return new RunPage(found, searchedTo, searchedTo.map(RunKey::startTime));
    }

    private boolean mayEnd() {
        return searchedTo.isPresent() && (mayBeEmpty || !found.isEmpty());
    }

    private long left(long now) {
        return (mayEnd() ? limits.page() : limits.longest()).toNanos() - (now - startedAt);
    }
}
