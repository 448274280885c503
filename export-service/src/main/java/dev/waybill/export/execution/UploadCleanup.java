package dev.waybill.export.execution;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.export.destination.DestinationOpener;
import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.UploadCleanupService.CleanupTask;
import dev.waybill.export.run.UploadCleanupService;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.StorageException;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Aborts orphaned multipart uploads, both those recorded in the database and those that the store lists in a run's folder,
 * and deletes visible files of runs that did not complete. Logs what the store does not permit.
 */
@Singleton
class UploadCleanup {

    private static final Logger LOG = Logger.getLogger(UploadCleanup.class);
    private static final int BATCH_SIZE = 16;
    private static final int MAX_TRIES = 20;

    private final UploadCleanupService cleanups;
    private final DestinationOpener destinations;

    UploadCleanup(UploadCleanupService cleanups, DestinationOpener destinations) {
        this.cleanups = cleanups;
        this.destinations = destinations;
    }

    /** Cleans up one batch of ended runs. */
    @Scheduled(identity = "export-cleanup", every = "5s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> cleanUp() {
        return cleanups.claim(BATCH_SIZE)
                .onItem().transformToMulti(claimed -> Multi.createFrom().iterable(claimed))
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
                .chain(() -> cleanups.deleteUploads(task))
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
                .chain(() -> cleanups.markCleaned(task))
                .onFailure().recoverWithNull();
    }

    // A run that ended during its commit may have made some files visible; no manifest will list them.
    private Uni<Void> removeFiles(CleanupTask task) {
        return cleanups.committedKeys(task)
                .chain(keys -> keys.isEmpty()
                        ? Uni.createFrom().voidItem()
                        : destinations.open(task.tenantId(), task.destinationId())
                                .chain(destination -> removeFiles(destination.store(), keys)
                                        .onTermination().invoke(destination::close)));
    }

    private static Uni<Void> removeFiles(ObjectStore store, List<String> keys) {
        return Multi.createFrom().iterable(keys)
                .onItem().transformToUniAndConcatenate(store::delete)
                .collect().last();
    }

    private Uni<Void> abort(CleanupTask task, Set<String> retained) {
        return cleanups.knownUploads(task)
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
}
