package dev.waybill.experiment.query;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.database.Database;
import dev.waybill.experiment.lake.LakeDay;
import dev.waybill.experiment.query.RunCursor.RunKey;
import dev.waybill.experiment.query.RunQueryParser.RunQuery;
import dev.waybill.experiment.query.RunQueryRepository.FoundRuns;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;

/**
 * Finds one page of runs in limited time. If PostgreSQL does not find the page at once, it evaluates the runs of the
 * sessions in pieces, in page order. At the time limit, the page ends after the last piece, and its cursor continues
 * there (docs/decisions/0177). Pieces of days that the lake contains are found there (docs/decisions/0179).
 */
final class RunSearch {

    /** A cancelled statement. */
    private static final String CANCELLED = "57014";
    private static final int MAX_FACTOR = 8;
    private static final int MAX_ROWS = 1 << 17;

    /** Timeout of the attempt without pieces if days of the lake can be searched, which takes less time than that attempt. */
    private static final Duration BEFORE_LAKE = Duration.ofMillis(25);

    /** Time of a statement of the lake with its confirmation, whatever the size of the files. */
    private static final long LAKE_STATEMENT_NANOS = 100_000_000;
    private static final double MIN_MEASURED_BYTES = 1 << 20;

    private final Database database;
    private final RunQueryRepository runs;
    private final LakeSearch lake;
    private final Limits limits;
    private final LongSupplier nanoTime;

    RunSearch(Database database, RunQueryRepository runs, LakeSearch lake, Limits limits, LongSupplier nanoTime) {
        this.database = database;
        this.runs = runs;
        this.lake = lake;
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    /**
     * Returns one page; fails with PostgreSQL's timeout if not even one run can be evaluated.
     *
     * @param mayBeEmpty whether a page without runs may end before all runs were searched
     */
    Uni<RunPage> page(UUID tenantId, RunQuery query, boolean mayBeEmpty) {
        // Only the index of a session returns its runs in page order.
        if (!query.conditions().isBySession()) {
            return read(tenantId, limits.longest(), connection -> whole(connection, tenantId, query));
        }
        Supplier<Uni<RunPage>> inPieces = () -> pageInPieces(tenantId, query, mayBeEmpty);
        if (!lake.canSearch(query)) {
            return wholeOr(tenantId, query, limits.firstAttempt(), inPieces);
        }
        return wholeOr(tenantId, query, BEFORE_LAKE, () -> lake.plan(tenantId, query)
                .chain(plan -> plan.isEmpty() ? wholeOr(tenantId, query, limits.firstAttempt(), inPieces)
                        : new Search(tenantId, query, mayBeEmpty, plan).nextPiece()));
    }

    /** Returns the page if PostgreSQL finds it at once, within this timeout; otherwise the result of {@code other}. */
    private Uni<RunPage> wholeOr(UUID tenantId, RunQuery query, Duration timeout, Supplier<Uni<RunPage>> other) {
        return read(tenantId, timeout, connection -> whole(connection, tenantId, query))
                .onFailure(RunSearch::isTimeout).recoverWithUni(() -> other.get());
    }

    /** As {@link #page} of a query by session, without the attempt to find the page at once. */
    Uni<RunPage> pageInPieces(UUID tenantId, RunQuery query, boolean mayBeEmpty) {
        return lake.plan(tenantId, query).chain(plan -> new Search(tenantId, query, mayBeEmpty, plan).nextPiece());
    }

    private Uni<RunPage> whole(SqlConnection connection, UUID tenantId, RunQuery query) {
        return runs.find(connection, tenantId, query, RunQueryService.MAX_PAGE_BYTES)
                .map(found -> RunPage.of(found.runs(), found.hasMore()));
    }

    // A transaction for each piece: PostgreSQL and its client end a transaction whose statement exceeds the timeout.
    private <T> Uni<T> read(UUID tenantId, Duration timeout, Function<SqlConnection, Uni<T>> statements) {
        return database.inWorkspaceSnapshot(tenantId,
                connection -> runs.prepareTransaction(connection, timeout).chain(() -> statements.apply(connection)));
    }

    static boolean isTimeout(Throwable failure) {
        return failure instanceof PgException e && CANCELLED.equals(e.getSqlState());
    }

    /**
     * Limits of one page.
     *
     * @param firstAttempt timeout of the attempt without pieces
     * @param piece timeout of a piece; a third of it is the intended duration
     * @param page time after which a page ends
     * @param longest time after which a page ends if it must not be empty, and fails if it has searched nothing
     * @param firstRows number of runs of the first piece in each session, at least 2
     */
    record Limits(Duration firstAttempt, Duration piece, Duration page, Duration longest, int firstRows) {

        private static final Duration FIRST_ATTEMPT = Duration.ofMillis(250);
        private static final Duration PIECE = Duration.ofMillis(1_200);
        private static final int FIRST_ROWS = 1_000;

        static Limits of(RunQueryConfig config) {
            return new Limits(FIRST_ATTEMPT, PIECE, config.pageTimeout(), config.statementTimeout(), FIRST_ROWS);
        }
    }

    /** The search for one page. */
    private final class Search {

        private final UUID tenantId;
        private final RunQuery query;
        private final boolean mayBeEmpty;
        private final LakePlan plan;
        private final long startedAt = nanoTime.getAsLong();
        private final List<RunResponse> found = new ArrayList<>();
        private Optional<RunKey> searchedTo = Optional.empty();
        private long bytes;
        private int rows = limits.firstRows();
        private int lakePieces;
        private double lakeNanosPerByte;
        private boolean indexesExclude = true;

        Search(UUID tenantId, RunQuery query, boolean mayBeEmpty, LakePlan plan) {
            this.tenantId = tenantId;
            this.query = query;
            this.mayBeEmpty = mayBeEmpty;
            this.plan = plan;
        }

        Uni<RunPage> nextPiece() {
            long now = nanoTime.getAsLong();
            // Once a text is in most rows of a day, the indexes of other days are not asked in advance any more.
            List<LakeDay> days = indexesExclude ? plan.daysAfter(searchedTo.or(query::after)) : List.of();
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
            return plan.rangeAfter(searchedTo.or(query::after), affordable > 0 ? (long) affordable : Long.MAX_VALUE)
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
            return lake.piece(tenantId, remaining(), range, RunQueryService.MAX_PAGE_BYTES - bytes, lakePieces++,
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

        private RunQuery remaining() {
            return query.between(searchedTo.or(query::after), Optional.empty(), query.limit() - found.size());
        }

        private Uni<RunPage> nextPieceOfDatabase() {
            long pieceStartedAt = nanoTime.getAsLong();
            long left = left(pieceStartedAt);
            // A single run gets all of the time.
            Duration timeout = Duration.ofNanos(rows == 1 ? left : Math.min(left, limits.piece().toNanos()));
            return read(tenantId, timeout, this::piece)
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
            return isTimeout(failure) && (rows > 1 || searchedTo.isPresent());
        }

        private Uni<Piece> piece(SqlConnection connection) {
            RunQuery remaining = remaining();
            Optional<RunKey> end = plan.endBeforeLake(remaining.after());
            return runs.keyAt(connection, tenantId, remaining.between(remaining.after(), end, remaining.limit()), rows)
                    .map(last -> last.or(() -> end))
                    .chain(last -> runs
                            .find(connection, tenantId, remaining.between(remaining.after(), last, remaining.limit()),
                                    RunQueryService.MAX_PAGE_BYTES - bytes)
                            .map(one -> new Piece(last, one)));
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

    /**
     * A piece of the runs.
     *
     * @param last key of its last run, or any key before the runs that follow; empty if no runs follow
     */
    record Piece(Optional<RunKey> last, FoundRuns found) {
    }

    /**
     * One page of runs.
     *
     * @param next key after which the next page begins; empty on the last page
     * @param searchedUntil start time of the last run that was searched, if the page ended because its time was over
     */
    record RunPage(List<RunResponse> runs, Optional<RunKey> next, Optional<Instant> searchedUntil) {

        RunPage {
            runs = List.copyOf(runs);
        }

        static RunPage of(List<RunResponse> runs, boolean hasMore) {
            return new RunPage(runs, hasMore ? Optional.of(new RunKey(runs.getLast().startTime(), runs.getLast().id()))
                    : Optional.empty(), Optional.empty());
        }
    }
}
