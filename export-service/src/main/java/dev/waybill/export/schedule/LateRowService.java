package dev.waybill.export.schedule;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.common.filter.FilterParser;
import dev.waybill.common.filter.FilterSql;
import dev.waybill.common.filter.PlaceholderStyle;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Counts rows that were stored after their window was exported (docs/decisions/0016). */
@Singleton
class LateRowService {

    private static final Logger LOG = Logger.getLogger(LateRowService.class);
    private static final int BATCH_SIZE = 200;
    private static final Duration MAX_EXPORT_AGE = Duration.ofDays(7);

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

    private final Database database;
    private final Counter lateRows;
    private final ScheduleConfig config;
    private final ChangeRecorder changes;

    LateRowService(Database database, MeterRegistry registry, ScheduleConfig config, ChangeRecorder changes) {
        this.database = database;
        // Prometheus sees an increase only of a series that existed before.
        this.lateRows = registry.counter("waybill.export.late.rows");
        this.config = config;
        this.changes = changes;
    }

    /** Counts the late rows of all due exports. */
    @Scheduled(identity = "late-rows", every = "{waybill.export.schedule.late-rows-interval}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> countAll() {
        return database.everyWorkspace(connection -> connection.preparedQuery(CLAIM)
                .execute(Tuple.of(seconds(MAX_EXPORT_AGE), seconds(config.lateRowsInterval()), BATCH_SIZE)))
                .map(rows -> Rows.list(rows, LateRowService::completedExport))
                .chain(this::count);
    }

    private Uni<Void> count(List<CompletedExport> claimed) {
        return Multi.createFrom().iterable(claimed)
                .onItem().transformToUniAndConcatenate(this::count)
                .collect().last()
                .chain(() -> claimed.size() == BATCH_SIZE ? countAll() : Uni.createFrom().voidItem());
    }

    private Uni<Void> count(CompletedExport export) {
        return database.inWorkspace(export.tenantId(), connection -> count(connection, export)
                .chain(late -> recordCount(connection, export, late)))
                .invoke(increase -> report(export, increase))
                .onFailure().invoke(failure -> LOG.warnf(failure,
                        "could not count the late rows of an export; the count is retried: tenant_id=%s export_id=%s",
                        export.tenantId(), export.exportId()))
                .onFailure().recoverWithNull()
                .replaceWithVoid();
    }

    private void report(CompletedExport export, long increase) {
        if (increase > 0) {
            lateRows.increment(increase);
            changes.ofExport(export.tenantId(), export.exportId());
            LOG.infof("rows were stored after their export: tenant_id=%s export_id=%s rows=%s", export.tenantId(),
                    export.exportId(), increase);
        }
    }

    // Counts the runs in the range and filter that were stored after the export had read it.
    private static Uni<Long> count(SqlConnection connection, CompletedExport export) {
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

    // Returns the increase.
    private static Uni<Long> recordCount(SqlConnection connection, CompletedExport export, long late) {
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

    /** A completed export whose late rows are counted. */
    private record CompletedExport(UUID tenantId, UUID exportId, UUID sessionId, @Nullable String filter) {
    }
}
