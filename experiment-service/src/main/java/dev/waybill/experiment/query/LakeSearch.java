package dev.waybill.experiment.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.filter.DuckDbCondition;
import dev.waybill.common.filter.Filter;
import dev.waybill.common.filter.FilterField;
import dev.waybill.common.filter.FilterValue;
import dev.waybill.experiment.lake.LakeDay;
import dev.waybill.experiment.lake.LakeException;
import dev.waybill.experiment.lake.LakeQuery;
import dev.waybill.experiment.lake.LakeQuery.RunPosition;
import dev.waybill.experiment.lake.LakeReader;
import dev.waybill.experiment.query.RunCursor.RunKey;
import dev.waybill.experiment.query.RunQueryParser.Conditions;
import dev.waybill.experiment.query.RunQueryParser.RunQuery;
import dev.waybill.experiment.query.RunSearch.Piece;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;

/**
 * Searches days in the lake for {@link RunSearch}. The lake only finds keys. In one snapshot, PostgreSQL then confirms that the
 * days are unchanged, evaluates the conditions on these runs and returns them (docs/decisions/0179).
 */
final class LakeSearch {

    private static final Logger LOG = Logger.getLogger(LakeSearch.class);
    private static final int MIN_CANDIDATES = 256;
    private static final int MAX_CANDIDATES = 4_096;
    private static final Duration PLAN_TIMEOUT = Duration.ofSeconds(1);
    // Candidates with large documents are evaluated in smaller pieces by PostgreSQL.
    private static final Duration CONFIRM_TIMEOUT = Duration.ofMillis(1_200);

    private final LakeReader lake;
    private final Database database;
    private final RunQueryRepository runs;
    private final long partBytes;

    LakeSearch(LakeReader lake, Database database, RunQueryRepository runs) {
        this(lake, database, runs, LakePlan.PART_BYTES);
    }

    /** @param partBytes size of the first part of a day that has more than two of them */
    LakeSearch(LakeReader lake, Database database, RunQueryRepository runs, long partBytes) {
        this.lake = lake;
        this.database = database;
        this.runs = runs;
        this.partBytes = partBytes;
    }

    /** Returns whether there is a lake that supports the conditions. */
    boolean canSearch(RunQuery query) {
        return lake.isEnabled() && condition(query.conditions(), false).isPresent();
    }

    /** Returns which days of the search are in the lake; none if it does not support the conditions. */
    Uni<LakePlan> plan(UUID tenantId, RunQuery query) {
        LakePlan none = new LakePlan(query, List.of(), 0, partBytes);
        if (!canSearch(query)) {
            return Uni.createFrom().item(none);
        }
        Conditions conditions = query.conditions();
        return snapshot(tenantId, PLAN_TIMEOUT, connection -> lake
                .validDays(connection, tenantId, Optional.ofNullable(conditions.from()), Optional.ofNullable(conditions.to())))
                .map(days -> new LakePlan(query, days, lake.maxBytesOfStatement(), partBytes))
                .onFailure(PgException.class).recoverWithItem(failure -> {
                    LOG.warnf("the days of the lake could not be read, so the search reads PostgreSQL only: %s",
                            failure.getMessage());
                    return none;
                });
    }

    /** Returns how many of the days, in their order, text indexes exclude nearly completely. */
    Uni<Integer> countExcluded(RunQuery query, List<LakeDay> days, Duration timeout) {
        return lake.countWithin(condition(query.conditions(), false).orElseThrow(), days, 2 * partBytes, timeout);
    }

    /**
     * Searches the runs of {@code query} in a range of days. Returns nothing if the days cannot be read from the lake or have
     * changed.
     *
     * @param number number of earlier pieces; later pieces read more keys
     */
    Uni<Optional<Piece>> piece(UUID tenantId, RunQuery query, LakeRange range, long maxBytes, int number, Duration timeout) {
        DuckDbCondition condition = condition(query.conditions(), range.days().stream().allMatch(LakeDay::hasLatency))
                .orElseThrow();
        int limit = candidates(query, condition, number);
        LakeQuery keys = new LakeQuery(tenantId, query.conditions().sessions(), condition, query.descending(), range.from(),
                range.to(), query.after().map(key -> new LakeQuery.Position(key.startTime(), key.id())), limit);
        return lake.find(keys, range.days(), timeout)
                .chain(candidates -> snapshot(tenantId, timeout.compareTo(CONFIRM_TIMEOUT) < 0 ? timeout : CONFIRM_TIMEOUT,
                        connection -> confirmed(connection, tenantId, query, range, candidates, maxBytes, limit)))
                .onFailure(failure -> failure instanceof LakeException || RunSearch.isTimeout(failure))
                .recoverWithItem(Optional::empty)
                .invoke(piece -> {
                    if (piece.isEmpty()) {
                        lake.fellBack();
                    }
                });
    }

    private Uni<Optional<Piece>> confirmed(SqlConnection connection, UUID tenantId, RunQuery query, LakeRange range,
            List<RunPosition> candidates, long maxBytes, int limit) {
        RunKey last = candidates.size() < limit ? range.end()
                : new RunKey(candidates.getLast().startTime(), candidates.getLast().id());
        return lake.areValid(connection, tenantId, range.days())
                .chain(valid -> valid ? runs.findAmong(connection, tenantId, query, candidates, maxBytes)
                        .map(found -> Optional.of(new Piece(Optional.of(last), found)))
                        : Uni.createFrom().item(Optional.empty()));
    }

    // Not every candidate matches if DuckDB evaluates only a part of the conditions.
    private static int candidates(RunQuery query, DuckDbCondition condition, int number) {
        int minimum = query.limit() + 1;
        return condition.isExact() ? minimum
                : Math.max(minimum, Math.min(MAX_CANDIDATES, MIN_CANDIDATES << Math.min(number, 4)));
    }

    /** Returns the condition of the files; empty if the lake cannot find the runs or finds all runs. */
    static Optional<DuckDbCondition> condition(Conditions conditions, boolean hasLatency) {
        if (!conditions.isBySession() || conditions.traceFilter() != null || conditions.treeFilter() != null) {
            return Optional.empty();
        }
        List<Filter> filters = new ArrayList<>();
        if (conditions.runType() != null) {
            filters.add(new Filter.Equal(FilterField.RUN_TYPE, new FilterValue.Text(conditions.runType())));
        }
        if (conditions.root() != null) {
            filters.add(new Filter.Equal(FilterField.IS_ROOT, new FilterValue.Flag(conditions.root())));
        }
        if (conditions.failed() != null) {
            Filter failed = new Filter.Present(FilterField.ERROR);
            filters.add(conditions.failed() ? failed : new Filter.Not(failed));
        }
        filters.addAll(conditions.filters());
        return DuckDbCondition.of(filters, hasLatency);
    }

    private <T> Uni<T> snapshot(UUID tenantId, Duration timeout, Function<SqlConnection, Uni<T>> statements) {
        return database.inWorkspaceSnapshot(tenantId,
                connection -> runs.prepareTransaction(connection, timeout).chain(() -> statements.apply(connection)));
    }
}
