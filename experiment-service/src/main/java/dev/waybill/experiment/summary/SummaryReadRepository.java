package dev.waybill.experiment.summary;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.waybill.common.database.Rows;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads valid summaries: first which there are, then their figures, some at a time. */
class SummaryReadRepository {

    /** More hours or days than this are not read at once; the runs of older ones are read. */
    private static final int MAX_SUMMARIES = 20_000;
    /** Estimated memory for a summary without ancestors and open runs. */
    static final int SUMMARY_BYTES = 400;

    // Ids and open runs occupy several times their stored size when they are read. A summary of the current hour exists only
    // after the clock was set back; then changes of its runs are not recorded.
    private static final String VALID = """
            SELECT session_id, {period}, ancestors, open_runs, other_open_runs, version, summaries FROM (
                SELECT newest.*, count(*) OVER () AS summaries, sum({summary} + 8 * octet_length(ancestors) + 4 * coalesce(octet_length(open_runs), 0)
                    + 8 * coalesce(octet_length(other_open_runs), 0))
                    OVER (ORDER BY session_id, {period} DESC ROWS UNBOUNDED PRECEDING) AS bytes
                FROM (
                    SELECT s.session_id, s.{period}, s.ancestors, s.open_runs, s.other_open_runs, s.version
                    FROM unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) AS range (session_id, since, until)
                        CROSS JOIN LATERAL (
                            SELECT session_id, {period}, ancestors, open_runs, other_open_runs, xmin::text::bigint AS version
                            FROM trace.{table}
                            WHERE tenant_id = $1 AND session_id = range.session_id AND {period} >= range.since
                                AND {period} <= range.until - interval '{length}' AND ancestors IS NOT NULL OFFSET 0) AS s
                    WHERE s.{period} <= date_bin('1 hour', clock_timestamp(), '2000-01-01Z') - interval '{length}'
                        AND NOT EXISTS (SELECT FROM trace.run_summary_changes c
                            WHERE c.tenant_id = $1 AND c.session_id = s.session_id
                                AND date_trunc('{period}', c.hour, 'UTC') = s.{period})
                        AND NOT EXISTS (SELECT FROM trace.session_removals removed
                            WHERE removed.tenant_id = $1 AND removed.session_id = s.session_id)
                    ORDER BY session_id, {period} DESC LIMIT {max}) newest) sized
            WHERE bytes <= $5
            """
            .replace("{summary}", Integer.toString(SUMMARY_BYTES))
            .replace("{max}", Integer.toString(MAX_SUMMARIES));
    private static final String VALID_HOURS = VALID.replace("{length}", "1 hour").replace("{period}", "hour").replace("{table}",
            "run_summaries");
    private static final String VALID_DAYS = VALID.replace("{length}", "24 hours").replace("{period}", "day").replace("{table}",
            "run_daily_summaries");

    // OFFSET 0 makes PostgreSQL read each summary by the primary key.
    private static final String FIGURES = """
            SELECT s.session_id, key.start, {columns},
                CASE WHEN $5 THEN latency END AS latency, CASE WHEN $6 THEN first_token END AS first_token
            FROM unnest($2::uuid[], $3::timestamptz[], $4::boolean[]) AS key (session_id, start, daily) CROSS JOIN LATERAL (
                SELECT session_id, {columns}, latency, first_token FROM trace.run_daily_summaries
                WHERE key.daily AND tenant_id = $1 AND session_id = key.session_id AND day = key.start
                UNION ALL
                SELECT session_id, {columns}, latency, first_token FROM trace.run_summaries
                WHERE NOT key.daily AND tenant_id = $1 AND session_id = key.session_id AND hour = key.start OFFSET 0) AS s
            """
            .replace("{columns}", SummaryStatement.COLUMNS.replace(" latency, first_token,", ""));

    private final long maxBytes;

    /** Limits the memory for summaries without their figures. */
    SummaryReadRepository(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Returns the valid days within the ranges; if there are too many, those of the first sessions, the newest first. */
    Uni<FoundSummaries> findDays(SummaryQuery query, LiveRanges ranges) {
        return find(query, VALID_DAYS, ranges, PeriodSummary::ofDay);
    }

    /** Returns the valid hours within the ranges; if there are too many, those of the first sessions, the newest first. */
    Uni<FoundSummaries> findHours(SummaryQuery query, LiveRanges ranges) {
        return ranges.isEmpty() ? Uni.createFrom().item(new FoundSummaries(List.of(), true))
                : find(query, VALID_HOURS, ranges, PeriodSummary::ofHour);
    }

    private Uni<FoundSummaries> find(SummaryQuery query, String statement, LiveRanges ranges,
            Function<Row, PeriodSummary> period) {
        return query.connection().preparedQuery(statement)
                .execute(ranges.addTo(Tuple.of(query.tenantId())).addLong(maxBytes))
                .map(rows -> new FoundSummaries(Rows.list(rows, period),
                        isComplete(rows)));
    }

    private static boolean isComplete(RowSet<Row> rows) {
        return rows.size() == 0
                || rows.size() < MAX_SUMMARIES && rows.iterator().next().getLong("summaries") == rows.size();
    }

    /** Returns the figures of summaries. */
    Uni<RowSet<Row>> findFigures(SummaryQuery query, List<PeriodSummary> summaries) {
        return query.connection().preparedQuery(FIGURES)
                .execute(Tuple.tuple()
                        .addUUID(query.tenantId())
                        .addArrayOfUUID(summaries.stream().map(PeriodSummary::sessionId).toArray(UUID[]::new))
                        .addArrayOfOffsetDateTime(summaries.stream()
                                .map(summary -> utc(summary.start()))
                                .toArray(OffsetDateTime[]::new))
                        .addArrayOfBoolean(summaries.stream().map(PeriodSummary::isDay).toArray(Boolean[]::new))
                        .addBoolean(query.durations().latency())
                        .addBoolean(query.durations().firstToken()));
    }

    private static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    /**
     * Valid summaries without their figures.
     *
     * @param isComplete whether there were not more than can be read at once
     */
    record FoundSummaries(List<PeriodSummary> summaries, boolean isComplete) {

        /** Returns these and others, which do not overlap. */
        ValidSummaries and(FoundSummaries others) {
            return new ValidSummaries(Stream.concat(summaries.stream(), others.summaries.stream()).toList());
        }
    }
}
