package dev.waybill.experiment.lake;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.lake.IndexFormat;
import dev.waybill.experiment.lake.LakeDay.LakeFile;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads which days of a workspace are valid. export-service owns the schema {@code lake} and writes it. */
@Singleton
class LakeRepository {

    // Transaction ids are those of one cluster; a dump contains the ones of another. Changes of the current day are not
    // recorded, and after a step of the clock it can be a compacted one. Older schemas lack the columns of clusters,
    // indexes and latencies. Files are searched with another lower case than that of Turkish, Azerbaijani and Lithuanian.
    private static final String VALID_DAYS = """
            SELECT compaction.day, file.key, file.bytes,
                min(file.min_start) OVER in_day AS first_start, max(file.max_start) OVER in_day AS last_start,
                CASE WHEN to_jsonb(file) ->> 'index_version' = $4 THEN (to_jsonb(file) ->> 'index_bytes')::bigint ELSE 0 END
                    AS index_bytes,
                coalesce((to_jsonb(file) ->> 'has_latency')::boolean, false) AS has_latency
            FROM lake.compactions compaction
            JOIN trace.lake_days known ON known.tenant_id = compaction.tenant_id AND known.day = compaction.day
            LEFT JOIN lake.files file ON file.tenant_id = compaction.tenant_id AND file.day = compaction.day
            WHERE compaction.tenant_id = $1 AND compaction.day BETWEEN $2 AND $3
                AND compaction.state = 'compacted' AND compaction.snapshot IS NOT NULL
                AND (to_jsonb(compaction) ->> 'cluster')::bigint = (SELECT system_identifier FROM pg_control_system())
                AND compaction.day < (clock_timestamp() AT TIME ZONE 'UTC')::date
                AND lower('I') = 'i' AND length(lower('Ì')) = 1
                AND NOT EXISTS (
                    SELECT FROM trace.lake_changes change
                    WHERE change.tenant_id = compaction.tenant_id AND change.day = compaction.day
                        AND NOT pg_visible_in_snapshot(change.xid, compaction.snapshot::pg_snapshot))
            WINDOW in_day AS (PARTITION BY compaction.day)
            ORDER BY compaction.day, file.key
            """;

    /** Returns the valid days of a range, oldest first. */
    Uni<List<LakeDay>> validDays(SqlConnection connection, UUID tenantId, LocalDate first, LocalDate last) {
        return connection.preparedQuery(VALID_DAYS)
                .execute(Tuple.of(tenantId, first, last, Integer.toString(IndexFormat.VERSION)))
                .map(LakeRepository::days);
    }

    private static List<LakeDay> days(Iterable<Row> rows) {
        Map<LocalDate, List<Row>> byDay = new LinkedHashMap<>();
        rows.forEach(row -> byDay.computeIfAbsent(row.getLocalDate("day"), _ -> new ArrayList<>()).add(row));
        return byDay.entrySet().stream().map(day -> day(day.getKey(), day.getValue())).toList();
    }

    private static LakeDay day(LocalDate day, List<Row> rows) {
        Row first = rows.getFirst();
        if (first.getString("key") == null) {
            return new LakeDay(day, List.of());
        }
        List<LakeFile> files = rows.stream().map(row -> new LakeFile(row.getString("key"), row.getLong("bytes"),
                row.getLong("index_bytes"), row.getBoolean("has_latency"))).toList();
        return new LakeDay(day, first.getOffsetDateTime("first_start").toInstant(),
                first.getOffsetDateTime("last_start").toInstant(), files);
    }
}
