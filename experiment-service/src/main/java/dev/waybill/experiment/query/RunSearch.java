package dev.waybill.experiment.query;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.database.Database;
import dev.waybill.experiment.query.RunCursor.RunKey;
import dev.waybill.experiment.query.RunQueryParser.RunQuery;
import dev.waybill.experiment.query.RunQueryRepository.FoundRuns;
import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;

/**
 * Finds one page of runs in limited time. If PostgreSQL does not find the page at once, it evaluates the runs of the
 * sessions in pieces, in page order. At the time limit, the page ends after the last piece, and its cursor continues
 * there (docs/decisions/0177). Pieces of days that the lake contains are found there (docs/decisions/0179).
 */
final class RunSearch {

    /** A cancelled statement. */
    private static final String CANCELLED = "57014";

    /** Timeout of the attempt without pieces if days of the lake can be searched, which takes less time than that attempt. */
    private static final Duration BEFORE_LAKE = Duration.ofMillis(25);

    private final DatabaseSearch database;
    private final LakeSearch lake;
    private final Limits limits;
    private final LongSupplier nanoTime;

    RunSearch(Database database, RunQueryRepository runs, LakeSearch lake, Limits limits, LongSupplier nanoTime) {
        this.database = new DatabaseSearch(database, runs);
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
            return database.page(tenantId, query, limits.longest());
        }
        Supplier<Uni<RunPage>> inPieces = () -> pageInPieces(tenantId, query, mayBeEmpty);
        if (!lake.canSearch(query)) {
            return wholeOr(tenantId, query, limits.firstAttempt(), inPieces);
        }
        return wholeOr(tenantId, query, BEFORE_LAKE, () -> lake.plan(tenantId, query)
                .chain(plan -> plan.isEmpty() ? wholeOr(tenantId, query, limits.firstAttempt(), inPieces)
                        : pieces(tenantId, query, mayBeEmpty, plan)));
    }

    /** Returns the page if PostgreSQL finds it at once, within this timeout; otherwise the result of {@code other}. */
    private Uni<RunPage> wholeOr(UUID tenantId, RunQuery query, Duration timeout, Supplier<Uni<RunPage>> other) {
        return database.page(tenantId, query, timeout)
                .onFailure(RunSearch::isTimeout).recoverWithUni(() -> other.get());
    }

    /** As {@link #page} of a query by session, without the attempt to find the page at once. */
    Uni<RunPage> pageInPieces(UUID tenantId, RunQuery query, boolean mayBeEmpty) {
        return lake.plan(tenantId, query).chain(plan -> pieces(tenantId, query, mayBeEmpty, plan));
    }

    private Uni<RunPage> pieces(UUID tenantId, RunQuery query, boolean mayBeEmpty, LakePlan plan) {
        return new PieceSearch(database, lake, limits, nanoTime, new PageQuery(tenantId, query, mayBeEmpty), plan).page();
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

    /**
     * A query for one page.
     *
     * @param mayBeEmpty whether a page without runs may end before all runs were searched
     */
    record PageQuery(UUID tenantId, RunQuery query, boolean mayBeEmpty) {
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
