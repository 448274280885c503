package dev.waybill.export.run;

import dev.waybill.common.database.Database;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Claims runs with orphaned uploads, and stores that they are cleaned up. */
@Singleton
public class UploadCleanupService {

    /** Time after the end of a run in which its worker aborts the uploads itself. */
    private static final Duration MIN_AGE = Duration.ofSeconds(3);

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
    private static final String DELETE_UPLOADS = "DELETE FROM export.uploads WHERE tenant_id = $1 AND run_id = $2";
    private static final String DELETE_CHECKPOINTS = "DELETE FROM export.checkpoints WHERE tenant_id = $1 AND run_id = $2";

    private final Database database;

    UploadCleanupService(Database database) {
        this.database = database;
    }

    /** Claims ended runs that may have orphaned uploads; each is due again after a delay until it is cleaned up. */
    public Uni<List<CleanupTask>> claim(int maxCount) {
        return database.everyWorkspace(connection -> connection.preparedQuery(CLAIM)
                .execute(Tuple.of(MIN_AGE.toMillis() / 1000.0, maxCount)))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(UploadCleanupService::task)
                        .toList());
    }

    /** Returns the keys of the recorded uploads by upload id. */
    public Uni<Map<String, String>> knownUploads(CleanupTask task) {
        return database.inWorkspace(task.tenantId(), connection -> keysByUploadId(connection, UPLOADS, task)
                .chain(open -> keysByUploadId(connection, COMMITTED, task)
                        .map(committed -> {
                            Map<String, String> all = new HashMap<>(open);
                            all.putAll(committed);
                            return all;
                        })));
    }

    /** Returns the keys in the run's commit record, some of which may be visible. */
    public Uni<List<String>> committedKeys(CleanupTask task) {
        return database.inWorkspace(task.tenantId(), connection -> keysByUploadId(connection, COMMITTED, task))
                .map(keysByUploadId -> List.copyOf(keysByUploadId.values()));
    }

    /** Deletes the records of a run's uploads after they were aborted. */
    public Uni<Void> markCleaned(CleanupTask task) {
        return database.inWorkspace(task.tenantId(), connection -> execute(connection, DELETE_UPLOADS, task)
                .chain(() -> execute(connection, DELETE_CHECKPOINTS, task))
                .chain(() -> execute(connection, MARK_CLEANED, task)));
    }

    /** Deletes the records of the uploads of a run's earlier attempts. */
    public Uni<Void> deleteUploads(CleanupTask task) {
        return database.inWorkspace(task.tenantId(), connection -> execute(connection, DELETE_UPLOADS, task));
    }

    private static Uni<Void> execute(SqlConnection connection, String sql, CleanupTask task) {
        return connection.preparedQuery(sql)
                .execute(Tuple.of(task.tenantId(), task.runId()))
                .replaceWithVoid();
    }

    private static Uni<Map<String, String>> keysByUploadId(SqlConnection connection, String sql,
            CleanupTask task) {
        return connection.preparedQuery(sql)
                .execute(Tuple.of(task.tenantId(), task.runId()))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .collect(Collectors.toMap((Row row) -> row.getString("upload_id"), row -> row.getString("key"))));
    }

    private static CleanupTask task(Row row) {
        return new CleanupTask(row.getUUID("tenant_id"), row.getUUID("export_id"), row.getUUID("id"),
                row.getUUID("destination_id"),
                RunRowMapper.layout(row).folder(RunRowMapper.time(row, "start_time")), row.getInteger("sweeps"));
    }

    /**
     * A run that ended or starts a new attempt, whose bucket may contain orphaned uploads of earlier attempts.
     *
     * @param folder folder of the run's files; no other run writes there
     * @param tries number of cleanups so far
     */
    public record CleanupTask(UUID tenantId, UUID exportId, UUID runId, UUID destinationId, String folder, int tries) {

        /** Returns the cleanup task for earlier attempts of a run. */
        public static CleanupTask before(Attempt attempt) {
            return new CleanupTask(attempt.lease().tenantId(), attempt.exportId(), attempt.lease().id(), attempt.destinationId(),
                    attempt.folder(), 0);
        }
    }
}
