package dev.waybill.export.run;

import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.ExportedFileResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Lists the files of exports from the commit records. */
@Singleton
class ExportFileService {

    // The files of a run are visible, and not deleted, if the run is completed.
    private static final String FROM = """
            FROM (
                SELECT id, start_time FROM export.bulk_exports WHERE tenant_id = $1 AND id = $2
                UNION ALL
                SELECT id, start_time FROM export.bulk_exports WHERE tenant_id = $1 AND source_bulk_export_id = $2) AS e
            JOIN export.runs AS r ON r.tenant_id = $1 AND r.export_id = e.id AND r.state = 'Completed'
            JOIN export.files AS f ON f.tenant_id = $1 AND f.run_id = r.id
            WHERE $3::uuid IS NULL OR r.id = $3
            """;
    private static final String LIST = """
            SELECT r.export_id, f.run_id, f.key, f.rows, f.bytes, f.sha256, f.min_start_time, f.max_start_time,
                   f.truncated_rows, f.verified
            """ + FROM + """
            ORDER BY e.start_time, e.id, r.position, f.number
            LIMIT $4 OFFSET $5
            """;
    private static final String COUNT = "SELECT count(*) " + FROM;

    private final Database database;

    ExportFileService(Database database) {
        this.database = database;
    }

    /**
     * Returns files in the order of the manifest; for a scheduled export those of all its exports, the earliest range first.
     *
     * @param runId limits the list to the files of this run; null for all runs
     */
    Uni<Page<ExportedFileResponse>> list(UUID tenantId, UUID exportId, @Nullable UUID runId, PageParameters page) {
        return database.inWorkspace(tenantId, connection -> ExportRunService.requireExport(connection, tenantId, exportId)
                .chain(() -> count(connection, tenantId, exportId, runId))
                .chain(total -> connection.preparedQuery(LIST)
                        .execute(Tuple.of(tenantId, exportId, runId, page.limit(), page.offset()))
                        .map(rows -> Rows.list(rows, ExportFileService::response))
                        .map(files -> new Page<>(files, total))));
    }

    private static Uni<Long> count(SqlConnection connection, UUID tenantId, UUID exportId, @Nullable UUID runId) {
        return connection.preparedQuery(COUNT)
                .execute(Tuple.of(tenantId, exportId, runId))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    private static ExportedFileResponse response(Row row) {
        return new ExportedFileResponse(row.getUUID("export_id"), row.getUUID("run_id"), row.getString("key"),
                row.getLong("rows"), row.getLong("bytes"), row.getString("sha256"), Rows.requireInstant(row, "min_start_time"),
                Rows.requireInstant(row, "max_start_time"), row.getLong("truncated_rows"), row.getBoolean("verified"));
    }
}
