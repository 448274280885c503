package dev.waybill.export.run;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Queries the runs whose buckets may contain orphaned uploads. */
@Singleton
class UploadCleanupRepository {

    // Postponing next_sweep_at claims the run: another replica cleans it up only if this one does not finish.
    private static final String CLAIM = """
            WITH due AS MATERIALIZED (
                SELECT tenant_id, id
                FROM export.runs
                WHERE uploads_open AND next_sweep_at <= clock_timestamp()
                    AND state IN ('Completed', 'Failed', 'TimedOut', 'Cancelled')
                    AND finished_at <= clock_timestamp() - make_interval(secs => $1)
                ORDER BY next_sweep_at
                LIMIT $2
                FOR UPDATE SKIP LOCKED)
            UPDATE export.runs AS r
            SET sweeps = r.sweeps + 1,
                next_sweep_at = clock_timestamp() + make_interval(secs => least(3600, 15 * 2 ^ least(r.sweeps, 10)))
            FROM due, export.bulk_exports AS e
            WHERE r.tenant_id = due.tenant_id AND r.id = due.id AND e.tenant_id = r.tenant_id AND e.id = r.export_id
            RETURNING r.tenant_id, r.id, r.export_id, r.start_time, r.sweeps, e.destination_id, e.session_id, e.key_prefix,
                e.format_version
            """;

    private static final String UPLOADS = """
            SELECT upload_id, key FROM export.uploads WHERE tenant_id = $1 AND run_id = $2
            UNION
            SELECT upload ->> 'upload_id', key FROM export.checkpoints WHERE tenant_id = $1 AND run_id = $2
            """;

    // The uploads of a completed run are its files.
    private static final String COMMITTED = """
            SELECT f.upload ->> 'upload_id' AS upload_id, f.key
            FROM export.files AS f
            JOIN export.runs AS r ON r.tenant_id = f.tenant_id AND r.id = f.run_id
            WHERE f.tenant_id = $1 AND f.run_id = $2 AND r.state <> 'Completed'
            """;

    private static final String MARK_CLEANED = "UPDATE export.runs SET uploads_open = false WHERE tenant_id = $1 AND id = $2";

    Uni<List<CleanupTask>> claim(SqlConnection connection, Duration minAge, int maxCount) {
        return connection.preparedQuery(CLAIM)
                .execute(Tuple.of(minAge.toMillis() / 1000.0, maxCount))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(RunRowMapper::cleanupTask)
                        .toList());
    }

    Uni<Map<String, String>> uploads(SqlConnection connection, UUID tenantId, UUID runId) {
        return keysByUploadId(connection, UPLOADS, tenantId, runId);
    }

    /** Returns the uploads of the commit record of a run that did not complete. */
    Uni<Map<String, String>> committed(SqlConnection connection, UUID tenantId, UUID runId) {
        return keysByUploadId(connection, COMMITTED, tenantId, runId);
    }

    Uni<Void> markCleaned(SqlConnection connection, UUID tenantId, UUID runId) {
        return connection.preparedQuery(MARK_CLEANED)
                .execute(Tuple.of(tenantId, runId))
                .replaceWithVoid();
    }

    private static Uni<Map<String, String>> keysByUploadId(SqlConnection connection, String sql, UUID tenantId, UUID runId) {
        return connection.preparedQuery(sql)
                .execute(Tuple.of(tenantId, runId))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .collect(Collectors.toMap((Row row) -> row.getString("upload_id"), row -> row.getString("key"))));
    }
}
