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

/** Which runs were stored after the export that should hold them had read its range. */
@Singleton
class LateRowRepository {

    // The older an export is the more seldom: a count costs what came late, but there are many exports.
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

    // The first three conditions on the run are those of the index runs_that_came_late. The hour is for transactions that were
    // open while the export read; the snapshot itself says which of them it saw. Files of earlier attempts have their own, days that
    // were not planned that of planning.
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

    // A filter over much that came late must not hold a connection for long; the count is tried again later.
    private static final String LIMIT_TIME = "SET LOCAL statement_timeout = '30s'";

    private static final String NOTE = """
            UPDATE export.bulk_exports AS e
            SET late_rows = $3
            FROM (SELECT late_rows FROM export.bulk_exports WHERE tenant_id = $1 AND id = $2 FOR UPDATE) AS before
            WHERE e.tenant_id = $1 AND e.id = $2
            RETURNING e.late_rows - before.late_rows AS more
            """;

    /** Some exports whose late rows are to be counted again; each comes again after a pause. */
    Uni<List<Counted>> claim(SqlConnection connection, Duration atLongest, Duration atLeastEvery, int most) {
        return connection.preparedQuery(CLAIM)
                .execute(Tuple.of(seconds(atLongest), seconds(atLeastEvery), most))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(LateRowRepository::counted)
                        .toList());
    }

    /** How many runs belong to the export and are not in it, because they were stored after it had read. */
    Uni<Long> count(SqlConnection connection, Counted export) {
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

    /** Notes the count; answers by how many it grew. */
    Uni<Long> note(SqlConnection connection, Counted export, long late) {
        return connection.preparedQuery(NOTE)
                .execute(Tuple.of(export.tenantId(), export.exportId(), late))
                .map(rows -> rows.iterator().next().getLong("more"));
    }

    private static Counted counted(Row row) {
        return new Counted(row.getUUID("tenant_id"), row.getUUID("id"), row.getUUID("session_id"), row.getString("filter"));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    /** An export whose late rows are counted. */
    record Counted(UUID tenantId, UUID exportId, UUID sessionId, @Nullable String filter) {
    }
}
