package dev.waybill.experiment.summary;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Rows;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.summary.PeriodSummary.Ancestor;
import dev.waybill.experiment.summary.PeriodSummary.RunKey;
import dev.waybill.experiment.summary.SummaryReadRepository.FoundSummaries;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Merges valid summaries with the figures of the other runs. All statements must see the same point in time. Percentiles are
 * within one percent of the exact ones; everything else equals the figures of the runs.
 */
@Singleton
public class RunSummaryReader {

    /** Ancestors to look up at once, and of runs that are not summarized; all runs of a session with more of these are read. */
    private static final int MAX_ANCESTORS = 20_000;
    /** Share of the heap for what a query reads of all summaries before it reads their figures. */
    private static final int HEAP_FRACTION = 16;
    /** Summaries whose figures are in memory at once. */
    private static final int SUMMARIES_AT_ONCE = 64;

    // Nested loops would make joins with underestimated sizes quadratic. Queries of runs disable sorting.
    private static final String SET_OPTIONS = """
            SELECT set_config('work_mem', '32MB', true), set_config('jit', 'off', true), set_config('enable_nestloop', 'off', true),
                set_config('enable_sort', 'on', true)
            """;

    // Reads one row of the primary key for each range: most gaps between summaries are hours or days without runs.
    private static final String WITH_RUNS = """
            SELECT range.n FROM unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY
                AS range (session_id, since, until, n)
                CROSS JOIN LATERAL (SELECT FROM trace.runs WHERE tenant_id = $1 AND session_id = range.session_id
                    AND start_time >= range.since AND start_time < range.until LIMIT 1) AS run
            """;

    private static final String LIVE_ANCESTORS = """
            WITH live AS MATERIALIZED (
                SELECT r.session_id, r.id, r.parent_run_ids, {tokens} AS has_tokens, {costs} AS has_costs {ranges})
            SELECT live.session_id, parent.id, bool_or(has_tokens) AS tokens, bool_or(has_costs) AS costs
            FROM live CROSS JOIN unnest(parent_run_ids) AS parent (id)
            WHERE (has_tokens OR has_costs)
                AND NOT EXISTS (SELECT FROM live other WHERE other.session_id = live.session_id AND other.id = parent.id)
            GROUP BY live.session_id, parent.id
            LIMIT $5
            """.replace("{tokens}", SummaryStatement.HAS_TOKENS)
            .replace("{costs}", SummaryStatement.HAS_COSTS)
            .replace("{ranges}", SummaryStatement.RANGES);

    private final Blocking blocking;
    private final SummaryReadRepository summaries;
    private final int maxAncestors;
    private final AncestorLookups lookups;

    @Inject
    public RunSummaryReader(Blocking blocking) {
        this(blocking, Runtime.getRuntime().maxMemory() / HEAP_FRACTION, MAX_ANCESTORS, new AncestorLookups());
    }

    RunSummaryReader(Blocking blocking, long maxBytes, int maxAncestors, AncestorLookups lookups) {
        this.blocking = blocking;
        this.summaries = new SummaryReadRepository(maxBytes);
        this.maxAncestors = maxAncestors;
        this.lookups = lookups;
    }

    /**
     * Returns the figures of all runs of those sessions that have valid summaries in the range; null for no limit. Changes
     * settings of the transaction.
     */
    public Uni<BucketFigures> find(SqlConnection connection, UUID tenantId, Collection<UUID> sessions, @Nullable Instant from,
            @Nullable Instant to, Buckets buckets, DurationSelection durations) {
        SummaryQuery query = new SummaryQuery(connection, tenantId, from, to, buckets, durations);
        return connection.query(SET_OPTIONS)
                .execute()
                .chain(() -> find(query, List.copyOf(sessions)));
    }

    // Otherwise the summaries of some sessions would leave no room for those of the others, whose runs would be read instead.
    private Uni<BucketFigures> find(SummaryQuery query, List<UUID> sessions) {
        return findDays(query, sessions)
                .chain(days -> findHours(query, sessions, days)
                        .chain(hours -> days.isComplete() && hours.isComplete() || sessions.size() == 1
                                ? blocking.call(() -> days.and(hours)).chain(valid -> merge(query, valid))
                                : findInHalves(query, sessions)));
    }

    private Uni<BucketFigures> findInHalves(SummaryQuery query, List<UUID> sessions) {
        int middle = sessions.size() / 2;
        return find(query, sessions.subList(0, middle))
                .chain(first -> find(query, sessions.subList(middle, sessions.size())).map(first::addSessions));
    }

    private Uni<FoundSummaries> findDays(SummaryQuery query, List<UUID> sessions) {
        return query.buckets().consistOfDays()
                ? summaries.findDays(query, new ValidSummaries(List.of()).liveRanges(sessions, query.from(), query.to()))
                : Uni.createFrom().item(new FoundSummaries(List.of(), true));
    }

    private Uni<FoundSummaries> findHours(SummaryQuery query, List<UUID> sessions, FoundSummaries days) {
        return blocking.call(() -> new ValidSummaries(days.summaries()).liveRanges(sessions, query.from(), query.to()))
                .chain(ranges -> summaries.findHours(query, ranges));
    }

    private Uni<BucketFigures> merge(SummaryQuery query, ValidSummaries valid) {
        if (valid.isEmpty()) {
            return Uni.createFrom().item(new BucketFigures(query.buckets()));
        }
        return findWithRuns(query, valid.liveRanges(query.from(), query.to()))
                .chain(live -> findLiveAncestors(query, live)
                        .chain(liveAncestors -> liveAncestors.size() > maxAncestors
                                ? mergeFewer(query, valid, liveAncestors)
                                : merge(query, valid, live, valid.allAncestors(liveAncestors))));
    }

    private Uni<BucketFigures> merge(SummaryQuery query, ValidSummaries valid, LiveRanges live,
            Collection<Ancestor> ancestors) {
        return blocking.call(() -> lookups.addKnown(query.tenantId(), valid, valid.unknown(ancestors)))
                .chain(unknown -> unknown.isEmpty() ? Uni.createFrom().voidItem() : lookUp(query, valid, unknown))
                .chain(() -> add(query, live, valid, ancestors));
    }

    private Uni<Void> lookUp(SummaryQuery query, ValidSummaries valid, List<Ancestor> unknown) {
        return Multi.createFrom().iterable(unknown)
                .group().intoLists().of(Math.max(1, maxAncestors))
                .onItem().transformToUniAndConcatenate(
                        part -> CountedUsage.find(query.connection(), query.tenantId(), part, valid::periodOf))
                .collect().asList()
                .map(parts -> parts.stream().flatMap(List::stream).toList())
                .chain(counted -> blocking.run(() -> {
                    valid.add(counted);
                    lookups.remember(query.tenantId(), valid, unknown, counted);
                }));
    }

    // All runs of a session whose other runs have too many ancestors are read; sessions with too many together are read apart.
    private Uni<BucketFigures> mergeFewer(SummaryQuery query, ValidSummaries valid, List<Ancestor> ancestors) {
        Set<UUID> excluded = new HashSet<>();
        Map<UUID, Integer> counts = new HashMap<>();
        for (Ancestor ancestor : ancestors) {
            if (counts.merge(ancestor.key().sessionId(), 1, Integer::sum) > maxAncestors) {
                excluded.add(ancestor.key().sessionId());
            }
        }
        return excluded.isEmpty() ? findInHalves(query, valid.sessions())
                : blocking.call(() -> valid.without(excluded)).chain(others -> merge(query, others));
    }

    private static Uni<LiveRanges> findWithRuns(SummaryQuery query, LiveRanges ranges) {
        return ranges.isEmpty() ? Uni.createFrom().item(ranges)
                : query.connection().preparedQuery(WITH_RUNS)
                        .execute(ranges.addTo(Tuple.of(query.tenantId())))
                        .map(rows -> ranges.select(Rows.list(rows, row -> row.getLong("n"))));
    }

    private Uni<List<Ancestor>> findLiveAncestors(SummaryQuery query, LiveRanges live) {
        return live.isEmpty() ? Uni.createFrom().item(List.of())
                : query.connection().preparedQuery(LIVE_ANCESTORS)
                        .execute(live.addTo(Tuple.of(query.tenantId())).addLong(maxAncestors + 1L))
                        .map(rows -> Rows.list(rows,
                                row -> new Ancestor(new RunKey(row.getUUID("session_id"), row.getUUID("id")),
                                        row.getBoolean("tokens"), row.getBoolean("costs"))));
    }

    // The summaries are in the order of buckets: those before the last bucket of a group are complete, and only their figures
    // remain in memory, not their distributions.
    private Uni<BucketFigures> add(SummaryQuery query, LiveRanges live, ValidSummaries valid, Collection<Ancestor> ancestors) {
        BucketFigures figures = new BucketFigures(query.buckets());
        return (live.isEmpty() ? Uni.createFrom().voidItem() : addLive(query, live, valid.ancestors(), figures))
                .chain(() -> blocking.run(() -> valid.subtractFrom(figures, ancestors)))
                .chain(() -> Multi.createFrom().items(valid.all())
                        .group().intoLists().of(SUMMARIES_AT_ONCE)
                        .onItem().transformToUniAndConcatenate(group -> summaries.findFigures(query, group)
                                .chain(rows -> blocking.run(() -> add(rows, group, figures))))
                        .onItem().ignoreAsUni())
                .chain(() -> blocking.call(figures::finish));
    }

    private static void add(RowSet<Row> rows, List<PeriodSummary> group, BucketFigures figures) {
        rows.forEach(row -> figures.of(row.getUUID("session_id"), row.getOffsetDateTime("start").toInstant()).add(row));
        PeriodSummary last = group.getLast();
        RunFigures incomplete = figures.of(last.sessionId(), last.start());
        group.stream()
                .map(summary -> figures.of(summary.sessionId(), summary.start()))
                .filter(found -> found != incomplete)
                .forEach(RunFigures::finish);
    }

    private Uni<Void> addLive(SummaryQuery query, LiveRanges live, Collection<Ancestor> ancestors, BucketFigures figures) {
        Tuple parameters = live.addTo(Tuple.of(query.tenantId()))
                .addLong(query.buckets().origin())
                .addLong(query.buckets().width())
                .addArrayOfUUID(ancestors.stream().map(ancestor -> ancestor.key().sessionId()).toArray(UUID[]::new))
                .addArrayOfUUID(ancestors.stream().map(ancestor -> ancestor.key().id()).toArray(UUID[]::new))
                .addArrayOfBoolean(ancestors.stream().map(Ancestor::tokens).toArray(Boolean[]::new))
                .addArrayOfBoolean(ancestors.stream().map(Ancestor::costs).toArray(Boolean[]::new));
        return query.connection().preparedQuery(SummaryStatement.BUCKETS)
                .execute(parameters)
                .chain(rows -> blocking.run(
                        () -> rows.forEach(row -> figures.of(row.getUUID("session_id"), row.getLong("bucket")).add(row))));
    }
}
