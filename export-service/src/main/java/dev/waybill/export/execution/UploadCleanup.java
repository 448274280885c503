package dev.waybill.export.execution;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.export.destination.DestinationOpener;
import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.ExportLayout;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.StorageException;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Aborts orphaned multipart uploads, both those recorded in the database and those that the store lists in a run's folder,
 * and deletes visible files of runs that did not complete. Logs what the store does not permit.
 */
@Singleton
class UploadCleanup {

    private static final Logger LOG = Logger.getLogger(UploadCleanup.class);
    /** Time after the end of a run in which its worker aborts the uploads itself. */
    private static final Duration MIN_AGE = Duration.ofSeconds(3);
    private static final int BATCH_SIZE = 16;
    private static final int MAX_TRIES = 20;

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
    private final DestinationOpener destinations;

    UploadCleanup(Database database, DestinationOpener destinations) {
        this.database = database;
        this.destinations = destinations;
    }

    /** Cleans up one batch of ended runs. */
    @Scheduled(identity = "export-cleanup", every = "5s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> cleanUp() {
        return database.everyWorkspace(connection -> connection.preparedQuery(CLAIM)
                .execute(Tuple.of(MIN_AGE.toMillis() / 1000.0, BATCH_SIZE)))
                .onItem().transformToMulti(rows -> Multi.createFrom().iterable(rows))
                .map(UploadCleanup::task)
                .onItem().transformToUniAndConcatenate(this::cleanUp)
                .collect().last();
    }

    /** Aborts the uploads of earlier attempts of this run. An upload that cannot be aborted does not delay the run. */
    Uni<Void> abortUploadsOfEarlierAttempts(Attempt attempt) {
        if (attempt.lease().token() == 1) {
            return Uni.createFrom().voidItem();
        }
        CleanupTask task = CleanupTask.before(attempt);
        Set<String> retained = attempt.checkpoints().stream()
                .map(file -> file.upload().uploadId())
                .collect(Collectors.toSet());
        return abort(task, retained)
                .chain(() -> database.inWorkspace(task.tenantId(), connection -> execute(connection, DELETE_UPLOADS, task)))
                .onFailure(StorageException.class).invoke(failure -> logFailure(task, failure))
                .onFailure(StorageException.class).recoverWithNull();
    }

    /** Aborts the given uploads of an attempt; logs failures. */
    Uni<Void> abort(Attempt attempt, Map<String, String> keysByUploadId) {
        if (keysByUploadId.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return destinations.open(attempt.lease().tenantId(), attempt.destinationId())
                .chain(destination -> abort(destination.store(), keysByUploadId)
                        .onTermination().invoke(destination::close))
                .onFailure().invoke(failure -> logFailure(CleanupTask.before(attempt), failure))
                .onFailure().recoverWithNull();
    }

    private Uni<Void> cleanUp(CleanupTask task) {
        return abort(task, Set.of())
                .chain(() -> removeFiles(task))
                .onFailure().invoke(failure -> logFailure(task, failure))
                .onFailure(failure -> shouldGiveUp(task, failure)).recoverWithNull()
                .chain(() -> markCleaned(task))
                .onFailure().recoverWithNull();
    }

    // A run that ended during its commit may have made some files visible; no manifest will list them.
    private Uni<Void> removeFiles(CleanupTask task) {
        return committedKeys(task)
                .chain(keys -> keys.isEmpty()
                        ? Uni.createFrom().voidItem()
                        : destinations.open(task.tenantId(), task.destinationId())
                                .chain(destination -> removeFiles(destination.store(), keys)
                                        .onTermination().invoke(destination::close)));
    }

    // Deletes the records of a run's uploads after they were aborted.
    private Uni<Void> markCleaned(CleanupTask task) {
        return database.inWorkspace(task.tenantId(), connection -> execute(connection, DELETE_UPLOADS, task)
                .chain(() -> execute(connection, DELETE_CHECKPOINTS, task))
                .chain(() -> execute(connection, MARK_CLEANED, task)));
    }

    private static Uni<Void> removeFiles(ObjectStore store, List<String> keys) {
        return Multi.createFrom().iterable(keys)
                .onItem().transformToUniAndConcatenate(store::delete)
                .collect().last();
    }

    private Uni<Void> abort(CleanupTask task, Set<String> retained) {
        return knownUploads(task)
                .chain(knownUploads -> destinations.open(task.tenantId(), task.destinationId())
                        .chain(destination -> abortAll(destination, task, knownUploads, retained)
                                .onTermination().invoke(destination::close)));
    }

    private static Uni<Void> abortAll(OpenDestination destination, CleanupTask task, Map<String, String> knownUploads,
            Set<String> retained) {
        return listUploads(destination, task)
                .map(listed -> union(knownUploads, listed))
                .invoke(all -> all.keySet().removeAll(retained))
                .chain(all -> abort(destination.store(), all));
    }

    private static Uni<Map<String, String>> listUploads(OpenDestination destination, CleanupTask task) {
        if (!destination.capabilities().listUploads()) {
            return Uni.createFrom().item(Map.of());
        }
        return destination.store().listUploads(task.folder() + "/")
                .map(uploads -> {
                    Map<String, String> keys = new HashMap<>();
                    uploads.forEach(upload -> keys.put(upload.uploadId(), upload.key()));
                    return keys;
                });
    }

    private static Uni<Void> abort(ObjectStore store, Map<String, String> keysByUploadId) {
        return Multi.createFrom().iterable(List.copyOf(keysByUploadId.entrySet()))
                .onItem().transformToUniAndConcatenate(upload -> store.abort(upload.getValue(), upload.getKey()))
                .collect().last()
                .replaceWithVoid();
    }

    private static Map<String, String> union(Map<String, String> one, Map<String, String> other) {
        Map<String, String> all = new HashMap<>(one);
        all.putAll(other);
        return all;
    }

    private static boolean shouldGiveUp(CleanupTask task, Throwable failure) {
        return failure instanceof ProblemException || task.tries() >= MAX_TRIES
                || failure instanceof StorageException storage && storage.isPermanent();
    }

    private static void logFailure(CleanupTask task, Throwable failure) {
        LOG.warnf(
                "uploads or files of a run could not be deleted and may remain in the bucket: tenant_id=%s export_id=%s run_id=%s"
                        + " folder=%s reason=%s",
                task.tenantId(), task.exportId(), task.runId(), task.folder(),
                failure);
    }

    // Returns the keys of the recorded uploads by upload id.
    private Uni<Map<String, String>> knownUploads(CleanupTask task) {
        return database.inWorkspace(task.tenantId(), connection -> keysByUploadId(connection, UPLOADS, task)
                .chain(open -> keysByUploadId(connection, COMMITTED, task)
                        .map(committed -> {
                            Map<String, String> all = new HashMap<>(open);
                            all.putAll(committed);
                            return all;
                        })));
    }

    // Returns the keys in the run's commit record, some of which may be visible.
    private Uni<List<String>> committedKeys(CleanupTask task) {
        return database.inWorkspace(task.tenantId(), connection -> keysByUploadId(connection, COMMITTED, task))
                .map(keysByUploadId -> List.copyOf(keysByUploadId.values()));
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
                .map(rows -> rows.stream()
                        .collect(Collectors.toMap((Row row) -> row.getString("upload_id"), row -> row.getString("key"))));
    }

    private static CleanupTask task(Row row) {
        return new CleanupTask(row.getUUID("tenant_id"), row.getUUID("export_id"), row.getUUID("id"),
                row.getUUID("destination_id"),
                ExportLayout.from(row).folder(row.getOffsetDateTime("start_time").toInstant()), row.getInteger("sweeps"));
    }

    /**
     * A run that ended or starts a new attempt, whose bucket may contain orphaned uploads of earlier attempts.
     *
     * @param folder folder of the run's files; no other run writes there
     * @param tries number of cleanups so far
     */
    private record CleanupTask(UUID tenantId, UUID exportId, UUID runId, UUID destinationId, String folder, int tries) {

        /** Returns the cleanup task for earlier attempts of a run. */
        private static CleanupTask before(Attempt attempt) {
            return new CleanupTask(attempt.lease().tenantId(), attempt.exportId(), attempt.lease().id(),
                    attempt.destinationId(),
                    attempt.folder(), 0);
        }
    }
}
