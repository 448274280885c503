package dev.waybill.export.run;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import dev.waybill.common.id.Ids;
import dev.waybill.common.page.Page;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Inserts, reads and ends rows of {@code export.runs} for clients. Timestamps come from the database clock. */
@Singleton
class ExportRunRepository {

    // The files of a run that ended uncompleted are deleted, so its rows and bytes do not count.
    private static final String SELECT = """
            SELECT r.id, r.export_id, r.tenant_id, e.session_id, e.key_prefix, e.format_version, r.state, r.attempts,
                   r.start_time, r.end_time, w.rows_written, w.bytes_written, r.errors, r.created_at, r.updated_at,
                   r.finished_at, f.keys, f.last_start_time, f.verified, f.truncated_rows
            FROM export.runs AS r
            JOIN export.bulk_exports AS e ON e.tenant_id = r.tenant_id AND e.id = r.export_id
            CROSS JOIN LATERAL (
                SELECT CASE WHEN r.state IN ('Failed', 'TimedOut', 'Cancelled') THEN 0 ELSE r.rows_written END AS rows_written,
                       CASE WHEN r.state IN ('Failed', 'TimedOut', 'Cancelled') THEN 0 ELSE r.bytes_written END AS bytes_written
                ) AS w
            LEFT JOIN LATERAL (
                SELECT array_agg(key ORDER BY number) AS keys, max(max_start_time) AS last_start_time,
                       bool_and(verified) AS verified, sum(truncated_rows)::bigint AS truncated_rows
                FROM export.files
                WHERE tenant_id = r.tenant_id AND run_id = r.id) AS f ON r.state = 'Completed'
            """;

    private static final String FIND = SELECT + "WHERE r.tenant_id = $1 AND r.export_id = $2 AND r.id = $3";
    private static final String LIST = SELECT + """
            WHERE r.tenant_id = $1 AND r.export_id = $2
            ORDER BY r.created_at DESC, r.id
            LIMIT $3 OFFSET $4
            """;
    private static final String LIST_SPAWNED = SELECT + """
            WHERE r.tenant_id = $1 AND e.source_bulk_export_id = $2
            ORDER BY r.created_at DESC, r.id
            LIMIT $3 OFFSET $4
            """;
    private static final String COUNT = "SELECT count(*) FROM export.runs WHERE tenant_id = $1 AND export_id = $2";
    private static final String COUNT_SPAWNED = """
            SELECT count(*)
            FROM export.runs AS r
            JOIN export.bulk_exports AS e ON e.tenant_id = r.tenant_id AND e.id = r.export_id
            WHERE r.tenant_id = $1 AND e.source_bulk_export_id = $2
            """;
    private static final String EXPORT_EXISTS = "SELECT FROM export.bulk_exports WHERE tenant_id = $1 AND id = $2";

    private static final String PLAN = """
            INSERT INTO export.runs (tenant_id, id, export_id, position, start_time, end_time)
            SELECT $1, day.id, $2, day.position, day.start_time, day.end_time
            FROM unnest($3::uuid[], $4::int[], $5::timestamptz[], $6::timestamptz[])
                AS day (id, position, start_time, end_time)
            """;

    // Executed before the query of the first and last run, so that runs stored between the two are counted as late.
    private static final String RECORD_SNAPSHOT = """
            UPDATE export.bulk_exports SET planned_in = pg_current_snapshot() WHERE tenant_id = $1 AND id = $2
            """;
    private static final String FIRST_AND_LAST = """
            SELECT (SELECT r.start_time
                    FROM trace.runs AS r
                    WHERE r.tenant_id = e.tenant_id AND r.session_id = e.session_id
                        AND r.start_time >= e.start_time AND r.start_time < e.end_time
                    ORDER BY r.start_time
                    LIMIT 1) AS first,
                   (SELECT r.start_time
                    FROM trace.runs AS r
                    WHERE r.tenant_id = e.tenant_id AND r.session_id = e.session_id
                        AND r.start_time >= e.start_time AND r.start_time < e.end_time
                    ORDER BY r.start_time DESC
                    LIMIT 1) AS last
            FROM export.bulk_exports AS e
            WHERE e.tenant_id = $1 AND e.id = $2
            """;
    // The higher token invalidates the leases of the workers that hold these runs.
    private static final String END_UNFINISHED = """
            UPDATE export.runs
            SET state = $3, finished_at = now(), updated_at = now(), lease_token = lease_token + 1, lease_until = NULL,
                lease_owner = NULL
            WHERE tenant_id = $1 AND export_id = $2 AND state = ANY ($4)
            """;

    private final Ids ids;

    ExportRunRepository(Ids ids) {
        this.ids = ids;
    }

    /** Inserts the runs of a new export in one statement. */
    Uni<Void> insert(SqlConnection connection, UUID tenantId, UUID exportId, List<DayPartition> days) {
        // Sorted ids keep the days in order in lists, where ids break ties.
        UUID[] newIds = days.stream().map(day -> ids.newId()).sorted().toArray(UUID[]::new);
        Integer[] positions = days.stream().map(DayPartition::position).toArray(Integer[]::new);
        return connection.preparedQuery(PLAN)
                .execute(Tuple.tuple(Arrays.asList(tenantId, exportId, newIds, positions, times(days, DayPartition::startTime),
                        times(days, DayPartition::endTime))))
                .replaceWithVoid();
    }

    /** Stores the snapshot that the days are planned in, which identifies runs stored later. */
    Uni<Void> recordSnapshot(SqlConnection connection, UUID tenantId, UUID exportId) {
        return connection.preparedQuery(RECORD_SNAPSHOT)
                .execute(Tuple.of(tenantId, exportId))
                .replaceWithVoid();
    }

    /** Returns the start times of the first and last run in the export's range; empty when there is none. */
    Uni<Optional<FirstAndLast>> firstAndLast(SqlConnection connection, UUID tenantId, UUID exportId) {
        return connection.preparedQuery(FIRST_AND_LAST)
                .execute(Tuple.of(tenantId, exportId))
                .map(rows -> rows.iterator().next())
                .map(row -> Optional.ofNullable(row.getOffsetDateTime("first"))
                        .map(first -> new FirstAndLast(first.toInstant(), row.getOffsetDateTime("last").toInstant())));
    }

    Uni<Void> endUnfinished(SqlConnection connection, UUID tenantId, UUID exportId, RunState end) {
        return connection.preparedQuery(END_UNFINISHED)
                .execute(Tuple.of(tenantId, exportId, end.stored(), end.storedPredecessors()))
                .replaceWithVoid();
    }

    Uni<Boolean> exportExists(SqlConnection connection, UUID tenantId, UUID exportId) {
        return connection.preparedQuery(EXPORT_EXISTS)
                .execute(Tuple.of(tenantId, exportId))
                .map(rows -> rows.size() > 0);
    }

    Uni<List<ExportRun>> find(SqlConnection connection, UUID tenantId, UUID exportId, UUID id) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, exportId, id))
                .map(ExportRunRepository::runs);
    }

    Uni<List<ExportRun>> list(SqlConnection connection, UUID tenantId, UUID exportId, Page page) {
        return connection.preparedQuery(LIST)
                .execute(Tuple.of(tenantId, exportId, page.limit(), page.offset()))
                .map(ExportRunRepository::runs);
    }

    Uni<Long> count(SqlConnection connection, UUID tenantId, UUID exportId) {
        return count(connection, COUNT, tenantId, exportId);
    }

    Uni<List<ExportRun>> listSpawned(SqlConnection connection, UUID tenantId, UUID sourceId, Page page) {
        return connection.preparedQuery(LIST_SPAWNED)
                .execute(Tuple.of(tenantId, sourceId, page.limit(), page.offset()))
                .map(ExportRunRepository::runs);
    }

    Uni<Long> countSpawned(SqlConnection connection, UUID tenantId, UUID sourceId) {
        return count(connection, COUNT_SPAWNED, tenantId, sourceId);
    }

    private static Uni<Long> count(SqlConnection connection, String sql, UUID tenantId, UUID id) {
        return connection.preparedQuery(sql)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    private static List<ExportRun> runs(RowSet<Row> rows) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(RunRowMapper::run)
                .toList();
    }

    private static OffsetDateTime[] times(List<DayPartition> days, Function<DayPartition, Instant> time) {
        return days.stream()
                .map(day -> time.apply(day).atOffset(ZoneOffset.UTC))
                .toArray(OffsetDateTime[]::new);
    }

    /** Start times of the first and the last run. */
    record FirstAndLast(Instant first, Instant last) {
    }
}
