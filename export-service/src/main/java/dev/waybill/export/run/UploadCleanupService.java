package dev.waybill.export.run;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Claims runs with orphaned uploads, and stores that they are cleaned up. */
@Singleton
public class UploadCleanupService {

    /** Time after the end of a run in which its worker aborts the uploads itself. */
    private static final Duration MIN_AGE = Duration.ofSeconds(3);

    private final Database database;
    private final UploadCleanupRepository cleanups;
    private final AttemptRepository attempts;

    UploadCleanupService(Database database, UploadCleanupRepository cleanups, AttemptRepository attempts) {
        this.database = database;
        this.cleanups = cleanups;
        this.attempts = attempts;
    }

    /** Claims ended runs that may have orphaned uploads; each is due again after a delay until it is cleaned up. */
    public Uni<List<CleanupTask>> claim(int maxCount) {
        return database.everyWorkspace(connection -> cleanups.claim(connection, MIN_AGE, maxCount));
    }

    /** Returns the keys of the recorded uploads by upload id. */
    public Uni<Map<String, String>> knownUploads(CleanupTask task) {
        return database.inWorkspace(task.tenantId(), connection -> knownUploads(connection, task));
    }

    /** Returns the keys in the run's commit record, some of which may be visible. */
    public Uni<List<String>> committedKeys(CleanupTask task) {
        return database.inWorkspace(task.tenantId(),
                connection -> cleanups.committed(connection, task.tenantId(), task.runId()))
                .map(keysByUploadId -> List.copyOf(keysByUploadId.values()));
    }

    /** Deletes the records of a run's uploads after they were aborted. */
    public Uni<Void> markCleaned(CleanupTask task) {
        return database.inWorkspace(task.tenantId(), connection -> attempts
                .deleteUploads(connection, task.tenantId(), task.runId())
                .chain(() -> attempts.deleteCheckpoints(connection, task.tenantId(), task.runId()))
                .chain(() -> cleanups.markCleaned(connection, task.tenantId(), task.runId())));
    }

    /** Deletes the records of the uploads of a run's earlier attempts. */
    public Uni<Void> deleteUploads(UUID tenantId, UUID runId) {
        return database.inWorkspace(tenantId, connection -> attempts.deleteUploads(connection, tenantId, runId));
    }

    private Uni<Map<String, String>> knownUploads(SqlConnection connection, CleanupTask task) {
        return cleanups.uploads(connection, task.tenantId(), task.runId())
                .chain(open -> cleanups.committed(connection, task.tenantId(), task.runId())
                        .map(committed -> {
                            Map<String, String> all = new HashMap<>(open);
                            all.putAll(committed);
                            return all;
                        }));
    }
}
