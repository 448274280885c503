package dev.waybill.export.snippet;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Rows;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.export.parquet.ExportField;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.FormatVersion;
import dev.waybill.export.run.ExportLayout;
import dev.waybill.export.snippet.ExportedFiles.BucketAddress;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads the export and destination of snippets, also of deleted destinations, whose files still exist. */
@Singleton
class SnippetRepository {

    /** Lists the exports of a scheduled export individually, because a failed window may have left files. */
    private static final String FIND = """
            SELECT e.id, e.session_id, e.key_prefix, e.format_version, e.compression, e.export_fields,
                   d.bucket_name, d.region, d.endpoint_url, d.virtual_host,
                   e.interval_hours IS NOT NULL AS scheduled,
                   CASE WHEN e.interval_hours IS NOT NULL THEN coalesce(made.ids, '{}')
                        WHEN e.status IN ('Created', 'Running') THEN ARRAY[e.id]
                        WHEN e.status = 'Completed' AND EXISTS (
                            SELECT FROM export.runs AS r
                            WHERE r.tenant_id = e.tenant_id AND r.export_id = e.id AND r.rows_written > 0) THEN ARRAY[e.id]
                        ELSE '{}' END AS ids,
                   coalesce(made.overlapping, false) AS overlapping,
                   coalesce(made.start_time, e.start_time) AS start_time,
                   coalesce(made.end_time, e.end_time) AS end_time
            FROM export.bulk_exports AS e
            JOIN export.destinations AS d ON d.tenant_id = e.tenant_id AND d.id = e.destination_id
            CROSS JOIN LATERAL (
                SELECT array_agg(m.id ORDER BY m.start_time, m.id) AS ids, min(m.start_time) AS start_time,
                       max(m.end_time) AS end_time, bool_or(m.start_time < m.end_before) AS overlapping
                FROM (SELECT s.id, s.start_time, s.end_time,
                             max(s.end_time) OVER (ORDER BY s.start_time, s.id
                                 ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS end_before
                      FROM export.bulk_exports AS s
                      WHERE s.tenant_id = e.tenant_id AND s.source_bulk_export_id = e.id AND s.status = 'Completed'
                        AND EXISTS (SELECT FROM export.runs AS r
                                    WHERE r.tenant_id = s.tenant_id AND r.export_id = s.id AND r.rows_written > 0)
                      ORDER BY s.start_time DESC, s.id
                      LIMIT $3) AS m) AS made
            WHERE e.tenant_id = $1 AND e.id = $2
            """;

    /** Returns the export's files; fails with 404 if the export does not exist. */
    Uni<ExportedFiles> require(SqlConnection connection, UUID tenantId, UUID exportId) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, exportId, ExportedFiles.MAX_EXPORTS))
                .map(rows -> Rows.findFirst(rows, row -> data(tenantId, row))
                        .orElseThrow(() -> ProblemException.notFound("export", exportId)));
    }

    private static ExportedFiles data(UUID tenantId, Row row) {
        FormatVersion version = FormatVersion.of(row.getString("format_version")).orElseThrow();
        List<ExportLayout> exports = Arrays.stream(row.getArrayOfUUIDs("ids"))
                .map(id -> new ExportLayout(row.getString("key_prefix"), id, tenantId, row.getUUID("session_id"), version))
                .toList();
        return new ExportedFiles(row.getUUID("id"), row.getBoolean("scheduled"), row.getBoolean("overlapping"), bucket(row),
                exports,
                ExportSchema.of(fields(row.getArrayOfStrings("export_fields")), version), row.getString("compression"),
                Rows.requireInstant(row, "start_time"), Rows.requireInstant(row, "end_time"));
    }

    private static BucketAddress bucket(Row row) {
        String endpoint = row.getString("endpoint_url");
        return new BucketAddress(row.getString("bucket_name"), row.getString("region"),
                endpoint == null ? null : URI.create(endpoint), row.getBoolean("virtual_host"));
    }

    private static List<ExportField> fields(String @Nullable [] names) {
        return names == null ? ExportField.defaults()
                : Arrays.stream(names).map(name -> ExportField.of(name).orElseThrow()).toList();
    }
}
