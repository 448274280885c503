package dev.waybill.export.verification;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.api.export.VerificationResponse;
import dev.waybill.common.database.Rows;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Inserts and reads verifications for clients, and reads what an export has written. */
@Singleton
class VerificationRepository {

    private static final String SELECT = """
            SELECT tenant_id, id, export_id, status, files_total, files_checked, bytes_total, bytes_checked, rows_in_files,
                   mismatches, mismatches_total, rows_counted, rows_encoded, rows_in_manifest, objects_listed, intact, receipt,
                   error_code, error_message, created_at, updated_at, finished_at
            FROM export.verifications
            """;
    private static final String FIND = SELECT + "WHERE tenant_id = $1 AND export_id = $2 AND id = $3";
    private static final String FIND_UNFINISHED = SELECT
            + "WHERE tenant_id = $1 AND export_id = $2 AND status IN ('Created', 'Running')";
    private static final String LIST = SELECT + """
            WHERE tenant_id = $1 AND export_id = $2
            ORDER BY created_at DESC, id
            LIMIT $3 OFFSET $4
            """;
    private static final String COUNT = "SELECT count(*) FROM export.verifications WHERE tenant_id = $1 AND export_id = $2";
    private static final String COUNT_UNFINISHED = """
            SELECT count(*) FROM export.verifications WHERE tenant_id = $1 AND status IN ('Created', 'Running')
            """;

    // The lock serializes requests for the same export, so that it has one unfinished verification.
    private static final String LOCK_EXPORT = """
            SELECT status FROM export.bulk_exports WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE
            """;
    private static final String EXPORT_EXISTS = "SELECT FROM export.bulk_exports WHERE tenant_id = $1 AND id = $2";

    private static final String INSERT = """
            INSERT INTO export.verifications (tenant_id, id, export_id, files_total, bytes_total)
            SELECT $1, $3, $2, count(*)::int, coalesce(sum(f.bytes), 0)::bigint
            FROM export.runs AS r
            JOIN export.files AS f ON f.tenant_id = r.tenant_id AND f.run_id = r.id
            WHERE r.tenant_id = $1 AND r.export_id = $2
            """;

    private static final String COUNT_ROWS = """
            SELECT coalesce(sum(rows_written), 0)::bigint FROM export.runs WHERE tenant_id = $1 AND export_id = $2
            """;

    /** Locks the export until the transaction ends and returns its status; fails with 404 when it does not exist. */
    Uni<BulkExportStatus> lockExport(SqlConnection connection, UUID tenantId, UUID exportId) {
        return connection.preparedQuery(LOCK_EXPORT)
                .execute(Tuple.of(tenantId, exportId))
                .map(rows -> Rows.findFirst(rows, row -> BulkExportStatus.parse(row.getString("status")))
                        .orElseThrow(() -> ProblemException.notFound("export", exportId)));
    }

    /** Fails with 404 when the export does not exist. */
    Uni<Void> requireExport(SqlConnection connection, UUID tenantId, UUID exportId) {
        return connection.preparedQuery(EXPORT_EXISTS)
                .execute(Tuple.of(tenantId, exportId))
                .chain(rows -> rows.size() > 0
                        ? Uni.createFrom().voidItem()
                        : Uni.createFrom().failure(ProblemException.notFound("export", exportId)));
    }

    Uni<Void> insert(SqlConnection connection, UUID tenantId, UUID exportId, UUID id) {
        return connection.preparedQuery(INSERT)
                .execute(Tuple.of(tenantId, exportId, id))
                .replaceWithVoid();
    }

    Uni<Long> countUnfinished(SqlConnection connection, UUID tenantId) {
        return connection.preparedQuery(COUNT_UNFINISHED)
                .execute(Tuple.of(tenantId))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    /** Returns the verification; fails with 404 when it does not exist. */
    Uni<VerificationResponse> require(SqlConnection connection, UUID tenantId, UUID exportId, UUID id) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, exportId, id))
                .map(rows -> Rows.findFirst(rows, VerificationRows::response)
                        .orElseThrow(() -> ProblemException.notFound("verification", id)));
    }

    /** Returns the unfinished verification of the export, if there is one. */
    Uni<Optional<VerificationResponse>> findUnfinished(SqlConnection connection, UUID tenantId, UUID exportId) {
        return connection.preparedQuery(FIND_UNFINISHED)
                .execute(Tuple.of(tenantId, exportId))
                .map(rows -> Rows.findFirst(rows, VerificationRows::response));
    }

    Uni<List<VerificationResponse>> list(SqlConnection connection, UUID tenantId, UUID exportId, PageParameters page) {
        return connection.preparedQuery(LIST)
                .execute(Tuple.of(tenantId, exportId, page.limit(), page.offset()))
                .map(rows -> Rows.list(rows, VerificationRows::response));
    }

    Uni<Long> count(SqlConnection connection, UUID tenantId, UUID exportId) {
        return connection.preparedQuery(COUNT)
                .execute(Tuple.of(tenantId, exportId))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    /** Returns the number of rows that the runs of the export read. */
    Uni<Long> countRows(SqlConnection connection, UUID tenantId, UUID exportId) {
        return connection.preparedQuery(COUNT_ROWS)
                .execute(Tuple.of(tenantId, exportId))
                .map(rows -> rows.iterator().next().getLong(0));
    }
}
