package dev.waybill.experiment.summary;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.StreamSupport;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.summary.HourSummary.Ancestor;
import dev.waybill.experiment.summary.HourSummary.RunKey;
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

    /** More hours than this are not read at once; the runs of older ones are read. */
    private static final int MAX_SUMMARIES = 20_000;
    private static final int MAX_ANCESTORS = 20_000;
    /** Share of the heap for the summaries of one query; the runs of the other hours are read. */
    private static final int HEAP_FRACTION = 16;

    // Nested loops would make joins with underestimated sizes quadratic. Queries of runs disable sorting.
    private static final String SET_OPTIONS = """
            SELECT set_config('work_mem', '32MB', true), set_config('jit', 'off', true), set_config('enable_nestloop', 'off', true),
                set_config('enable_sort', 'on', true)
            """;

    // A summary of the current hour exists only after the clock was set back; then changes of its runs are not recorded. Ids
    // and open runs occupy several times their stored size when they are read.
    private static final String VALID = """
            SELECT * FROM (
                SELECT newest.*, sum(1000 + 8 * coalesce(octet_length(ancestors), 0) + 4 * coalesce(octet_length(open_runs), 0)
                    + 8 * coalesce(octet_length(other_open_runs), 0) + coalesce(octet_length(latency), 0)
                    + coalesce(octet_length(first_token), 0) + coalesce(octet_length(root_latency), 0)
                    + coalesce(octet_length(root_first_token), 0))
                    OVER (ORDER BY session_id, hour DESC ROWS UNBOUNDED PRECEDING) AS bytes
                FROM (
                    SELECT s.* FROM trace.run_summaries s
                    WHERE tenant_id = $1 AND session_id = ANY($2) AND ancestors IS NOT NULL
                        AND ($3::timestamptz IS NULL OR hour >= $3) AND ($4::timestamptz IS NULL OR hour <= $4 - interval '1 hour')
                        AND hour < date_bin('1 hour', clock_timestamp(), '2000-01-01Z')
                        AND NOT EXISTS (SELECT FROM trace.run_summary_changes c
                            WHERE c.tenant_id = $1 AND c.session_id = s.session_id AND c.hour = s.hour)
                        AND NOT EXISTS (SELECT FROM trace.session_removals removed
                            WHERE removed.tenant_id = $1 AND removed.session_id = s.session_id)
                    ORDER BY session_id, hour DESC LIMIT {max}) newest) sized
            WHERE bytes <= $5
            ORDER BY session_id, hour
            """
            .replace("{max}", Integer.toString(MAX_SUMMARIES));

    private static final String LIVE_ANCESTORS = """
            WITH live AS MATERIALIZED (
                SELECT r.session_id, r.id, r.parent_run_ids, {tokens} AS has_tokens, {costs} AS has_costs {ranges})
            SELECT live.session_id, parent.id, bool_or(has_tokens) AS tokens, bool_or(has_costs) AS costs
            FROM live CROSS JOIN unnest(parent_run_ids) AS parent (id)
            WHERE (has_tokens OR has_costs)
                AND NOT EXISTS (SELECT FROM live other WHERE other.session_id = live.session_id AND other.id = parent.id)
            GROUP BY live.session_id, parent.id
            LIMIT {max} + 1
            """.replace("{tokens}", SummaryStatement.HAS_TOKENS)
            .replace("{costs}", SummaryStatement.HAS_COSTS)
            .replace("{ranges}", SummaryStatement.RANGES)
            .replace("{max}", Integer.toString(MAX_ANCESTORS));

    // LIMIT 1 makes PostgreSQL look up each id.
    private static final String LOCATE = """
            SELECT sought.session_id, found.start_time
            FROM unnest($2::uuid[], $3::uuid[]) AS sought (session_id, id)
                CROSS JOIN LATERAL (SELECT start_time FROM trace.run_places
                    WHERE tenant_id = $1 AND id = sought.id AND session_id = sought.session_id LIMIT 1) AS place
                CROSS JOIN LATERAL (SELECT start_time FROM trace.runs
                    WHERE tenant_id = $1 AND session_id = sought.session_id AND start_time = place.start_time AND id = sought.id
                        AND coalesce(total_tokens, prompt_tokens, completion_tokens, total_cost, prompt_cost, completion_cost)
                            IS NOT NULL LIMIT 1) AS found
            """;

    private final Blocking blocking;
    private final long maxBytes;

    @Inject
    public RunSummaryReader(Blocking blocking) {
        this(blocking, Runtime.getRuntime().maxMemory() / HEAP_FRACTION);
    }

    RunSummaryReader(Blocking blocking, long maxBytes) {
        this.blocking = blocking;
        this.maxBytes = maxBytes;
    }

    /**
     * Returns the figures of all runs of those sessions that have valid summaries in the range; null for no limit. Changes
     * settings of the transaction.
     */
    public Uni<BucketFigures> find(SqlConnection connection, UUID tenantId, UUID[] sessionIds, @Nullable Instant from,
            @Nullable Instant to, Buckets buckets) {
        SummaryQuery query = new SummaryQuery(connection, tenantId, from, to, buckets);
        return connection.query(SET_OPTIONS)
                .execute()
                .chain(() -> connection.preparedQuery(VALID)
                        .execute(Tuple.of(tenantId, sessionIds, utc(from), utc(to), maxBytes)))
                .chain(rows -> blocking.call(() -> new ValidSummaries(
                        StreamSupport.stream(rows.spliterator(), false).map(HourSummary::of).toList())))
                .chain(valid -> merge(query, valid));
    }

    private Uni<BucketFigures> merge(SummaryQuery query, ValidSummaries valid) {
        if (valid.size() == 0) {
            return Uni.createFrom().item(new BucketFigures(query.buckets()));
        }
        LiveRanges live = valid.liveRanges(query.from(), query.to());
        return findLiveAncestors(query, live)
                .chain(liveAncestors -> liveAncestors.size() + valid.ancestors().size() > MAX_ANCESTORS
                        ? Uni.createFrom().item(new BucketFigures(query.buckets()))
                        : merge(query, valid, live, valid.allAncestors(liveAncestors)));
    }

    // The usage of an ancestor that is not known to be open may be in the sums of its hour, so the runs of this hour are read.
    private Uni<BucketFigures> merge(SummaryQuery query, ValidSummaries valid, LiveRanges live,
            Collection<Ancestor> ancestors) {
        return locate(query, valid.unknown(ancestors))
                .chain(hours -> hours.isEmpty() ? Uni.createFrom().item(valid) : blocking.call(() -> valid.without(hours)))
                .chain(remaining -> remaining.size() < valid.size() ? merge(query, remaining)
                        : aggregate(query, live, valid.ancestors())
                                .chain(rows -> blocking.call(() -> add(query, rows, valid, ancestors))));
    }

    private static Uni<List<Ancestor>> findLiveAncestors(SummaryQuery query, LiveRanges live) {
        return query.connection().preparedQuery(LIVE_ANCESTORS)
                .execute(live.addTo(Tuple.of(query.tenantId())))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> new Ancestor(new RunKey(row.getUUID("session_id"), row.getUUID("id")),
                                row.getBoolean("tokens"), row.getBoolean("costs")))
                        .toList());
    }

    private static Uni<Map<UUID, Set<Instant>>> locate(SummaryQuery query, List<RunKey> keys) {
        Map<UUID, Set<Instant>> hours = new HashMap<>();
        if (keys.isEmpty()) {
            return Uni.createFrom().item(hours);
        }
        return query.connection().preparedQuery(LOCATE)
                .execute(Tuple.of(query.tenantId(), keys.stream().map(RunKey::sessionId).toArray(UUID[]::new),
                        keys.stream().map(RunKey::id).toArray(UUID[]::new)))
                .invoke(rows -> rows.forEach(row -> hours.computeIfAbsent(row.getUUID("session_id"), id -> new HashSet<>())
                        .add(row.getOffsetDateTime("start_time").toInstant().truncatedTo(ChronoUnit.HOURS))))
                .replaceWith(hours);
    }

    private static BucketFigures add(SummaryQuery query, RowSet<Row> rows, ValidSummaries valid,
            Collection<Ancestor> ancestors) {
        BucketFigures figures = new BucketFigures(query.buckets());
        rows.forEach(row -> figures.of(row.getUUID("session_id"), row.getLong("bucket")).add(row));
        valid.addTo(figures, ancestors);
        return figures;
    }

    private static Uni<RowSet<Row>> aggregate(SummaryQuery query, LiveRanges live, Collection<Ancestor> ancestors) {
        Tuple parameters = live.addTo(Tuple.of(query.tenantId()))
                .addLong(query.buckets().origin())
                .addLong(query.buckets().width())
                .addArrayOfUUID(ancestors.stream().map(ancestor -> ancestor.key().sessionId()).toArray(UUID[]::new))
                .addArrayOfUUID(ancestors.stream().map(ancestor -> ancestor.key().id()).toArray(UUID[]::new))
                .addArrayOfBoolean(ancestors.stream().map(Ancestor::tokens).toArray(Boolean[]::new))
                .addArrayOfBoolean(ancestors.stream().map(Ancestor::costs).toArray(Boolean[]::new));
        return query.connection().preparedQuery(SummaryStatement.BUCKETS)
                .execute(parameters);
    }

    private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }

    /** The range and the buckets of figures, and the transaction that reads them. */
    private record SummaryQuery(SqlConnection connection, UUID tenantId, @Nullable Instant from, @Nullable Instant to,
            Buckets buckets) {
    }
}
