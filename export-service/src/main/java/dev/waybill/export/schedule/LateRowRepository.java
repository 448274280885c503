package dev.waybill.export.schedule;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.filter.FilterParser;
import dev.waybill.common.filter.FilterSql;
import dev.waybill.common.filter.PlaceholderStyle;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Counts runs that were stored after the export of their range had read it. */
@Singleton
class LateRowRepository {

    // The interval grows with the age of the export, as there are many exports and few recent ones.
    private static final String CLAIM = """
            WITH due AS MATERIALIZED (
                SELECT tenant_id, id
                FROM export.bulk_exports
                WHERE source_bulk_export_id IS NOT NULL AND status = 'Completed'
                    AND finished_at > now() - make_interval(secs => $1)
                    AND coalesce(late_checked_at, finished_at)
                        <= now() - greatest(make_interval(secs => $2), (now() - finished_at) / 4)
                ORDER BY late_checked_at NULLS FIRST
                LIMIT $3
                FOR UPDATE SKIP LOCKED)
            UPDATE export.bulk_exports AS e
            SET late_checked_at = now()
            FROM due
            WHERE e.tenant_id = due.tenant_id AND e.id = due.id
            RETURNING e.tenant_id, e.id, e.session_id, e.filter
            """;

    // The first three conditions match the index runs_that_came_late. The hour covers transactions open during the read; the
    // snapshot decides which of them were visible. Files of earlier attempts have their own snapshot, days without a run the
    // snapshot of planning.
    static final String COUNT = """
            SELECT count(*)
            FROM (
                SELECT r.id AS run_id, r.start_time, r.end_time, r.snapshot, r.snapshot_at
                FROM export.runs AS r
                WHERE r.tenant_id = $1 AND r.export_id = $2
                UNION ALL
                SELECT NULL::uuid, part.start_time, part.end_time, e.planned_in, e.created_at
                FROM export.bulk_exports AS e
                CROSS JOIN LATERAL (
                    SELECT min(r.start_time) AS start_time, max(r.end_time) AS end_time
                    FROM export.runs AS r
                    WHERE r.tenant_id = e.tenant_id AND r.export_id = e.id) AS planned
                CROSS JOIN LATERAL (VALUES (e.start_time, planned.start_time), (planned.end_time, e.end_time))
                    AS part (start_time, end_time)
                WHERE e.tenant_id = $1 AND e.id = $2 AND e.planned_in IS NOT NULL) AS d
            JOIN trace.runs AS runs ON runs.tenant_id = $1 AND runs.session_id = $3
                AND runs.received_at - runs.start_time > interval '1 minute'
                AND runs.received_at >= coalesce((
                    SELECT min(f.snapshot_at) FROM export.files AS f
                    WHERE f.tenant_id = $1 AND f.run_id = d.run_id), d.snapshot_at) - interval '1 hour'
                AND runs.start_time >= d.start_time AND runs.start_time < d.end_time
                AND NOT pg_visible_in_snapshot(runs.received_in, coalesce((
                    SELECT f.snapshot FROM export.files AS f
                    WHERE f.tenant_id = $1 AND f.run_id = d.run_id AND f.snapshot IS NOT NULL
                        AND (f.last_start_time, f.last_id) >= (runs.start_time, runs.id)
                    ORDER BY f.number
                    LIMIT 1), d.snapshot))
            WHERE TRUE
            """;

    // A slow filter over many late rows must not block a connection; the count is retried later.
    private static final String LIMIT_TIME = "SET LOCAL statement_timeout = '30s'";

    private static final String RECORD_COUNT = """
            UPDATE export.bulk_exports AS e
            SET late_rows = $3
            FROM (SELECT late_rows FROM export.bulk_exports WHERE tenant_id = $1 AND id = $2 FOR UPDATE) AS before
            WHERE e.tenant_id = $1 AND e.id = $2
            RETURNING e.late_rows - before.late_rows AS more
            """;

    /** Claims exports whose late rows are due to be completedExport; each is due again after an interval. */
    Uni<List<CompletedExport>> claim(SqlConnection connection, Duration maxAge, Duration interval, int maxCount) {
        return connection.preparedQuery(CLAIM)
                .execute(Tuple.of(seconds(maxAge), seconds(interval), maxCount))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(LateRowRepository::completedExport)
                        .toList());
    }

    /** Returns the number of runs in the export's range and filter that were stored after the export had read it. */
    Uni<Long> count(SqlConnection connection, CompletedExport export) {
        Tuple values = Tuple.of(export.tenantId(), export.exportId(), export.sessionId());
        String sql = COUNT;
        if (export.filter() != null) {
            FilterSql filter = FilterSql.of(FilterParser.parse(export.filter()), "runs", PlaceholderStyle.numbered(4));
            sql += " AND " + filter.condition();
            filter.bindables().forEach(values::addValue);
        }
        String counting = sql;
        return connection.query(LIMIT_TIME)
                .execute()
                .chain(() -> connection.preparedQuery(counting)
                        .execute(values))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    /** Stores the count and returns its increase. */
    Uni<Long> recordCount(SqlConnection connection, CompletedExport export, long late) {
        return connection.preparedQuery(RECORD_COUNT)
                .execute(Tuple.of(export.tenantId(), export.exportId(), late))
                .map(rows -> rows.iterator().next().getLong("more"));
    }

    private static CompletedExport completedExport(Row row) {
        return new CompletedExport(row.getUUID("tenant_id"), row.getUUID("id"), row.getUUID("session_id"),
                row.getString("filter"));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    /** A completed export whose late rows are completedExport. */
    record CompletedExport(UUID tenantId, UUID exportId, UUID sessionId, @Nullable String filter) {
    }
}
