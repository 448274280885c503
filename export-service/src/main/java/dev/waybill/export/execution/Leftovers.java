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
import dev.waybill.export.run.Leftover;
import dev.waybill.export.run.SweepService;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.StorageException;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Aborts uploads that nobody will complete: those the database knows of, and those the store lists in a run's folder, which
 * belongs to that run alone; and removes what a run that ended otherwise had made visible. What the store does not allow is
 * reported in the log.
 */
@Singleton
class Leftovers {

    private static final Logger LOG = Logger.getLogger(Leftovers.class);
    private static final int AT_ONCE = 16;
    private static final int PATIENCE = 20;

    private final SweepService sweeps;
    private final DestinationOpener destinations;

    Leftovers(SweepService sweeps, DestinationOpener destinations) {
        this.sweeps = sweeps;
        this.destinations = destinations;
    }

    /** Aborts what is left of some runs that ended; answers whether there may be more. */
    Uni<Boolean> sweep() {
        return sweeps.claim(AT_ONCE)
                .call(claimed -> Multi.createFrom().iterable(claimed)
                        .onItem().transformToUniAndConcatenate(this::sweep)
                        .collect().last())
                .map(claimed -> claimed.size() == AT_ONCE);
    }

    /** Aborts what earlier attempts at this run left. One that can not be aborted does not hold the run up. */
    Uni<Void> abortBefore(Attempt attempt) {
        if (attempt.lease().token() == 1) {
            return Uni.createFrom().voidItem();
        }
        Leftover leftover = Leftover.before(attempt);
        Set<String> kept = attempt.checkpoints().stream()
                .map(file -> file.upload().uploadId())
                .collect(Collectors.toSet());
        return abort(leftover, kept)
                .chain(() -> sweeps.forget(leftover.tenantId(), leftover.runId()))
                .onFailure(StorageException.class).invoke(failure -> report(leftover, failure))
                .onFailure(StorageException.class).recoverWithNull();
    }

    /** Aborts the uploads that an attempt knows it has begun, as well as may be. */
    Uni<Void> abort(Attempt attempt, Map<String, String> keysByUploadId) {
        if (keysByUploadId.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return destinations.open(attempt.lease().tenantId(), attempt.destinationId())
                .chain(destination -> abort(destination.store(), keysByUploadId)
                        .onTermination().invoke(destination::close))
                .onFailure().invoke(failure -> report(Leftover.before(attempt), failure))
                .onFailure().recoverWithNull();
    }

    private Uni<Void> sweep(Leftover leftover) {
        return abort(leftover, Set.of())
                .chain(() -> removeFiles(leftover))
                .onFailure().invoke(failure -> report(leftover, failure))
                .onFailure(failure -> isHopeless(leftover, failure)).recoverWithNull()
                .chain(() -> sweeps.swept(leftover))
                .onFailure().recoverWithNull();
    }

    // A run that ended while its files were being completed may have made some of them visible: they belong to nothing.
    private Uni<Void> removeFiles(Leftover leftover) {
        return sweeps.committedKeys(leftover)
                .chain(keys -> keys.isEmpty()
                        ? Uni.createFrom().voidItem()
                        : destinations.open(leftover.tenantId(), leftover.destinationId())
                                .chain(destination -> removeFiles(destination.store(), keys)
                                        .onTermination().invoke(destination::close)));
    }

    private static Uni<Void> removeFiles(ObjectStore store, List<String> keys) {
        return Multi.createFrom().iterable(keys)
                .onItem().transformToUniAndConcatenate(store::delete)
                .collect().last();
    }

    private Uni<Void> abort(Leftover leftover, Set<String> kept) {
        return sweeps.known(leftover)
                .chain(known -> destinations.open(leftover.tenantId(), leftover.destinationId())
                        .chain(destination -> abortAll(destination, leftover, known, kept)
                                .onTermination().invoke(destination::close)));
    }

    private static Uni<Void> abortAll(OpenDestination destination, Leftover leftover, Map<String, String> known,
            Set<String> kept) {
        return listed(destination, leftover)
                .map(listed -> union(known, listed))
                .invoke(all -> all.keySet().removeAll(kept))
                .chain(all -> abort(destination.store(), all));
    }

    private static Uni<Map<String, String>> listed(OpenDestination destination, Leftover leftover) {
        if (!destination.capabilities().listUploads()) {
            return Uni.createFrom().item(Map.of());
        }
        return destination.store().listUploads(leftover.folder() + "/")
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

    private static boolean isHopeless(Leftover leftover, Throwable failure) {
        return failure instanceof ProblemException || leftover.sweeps() >= PATIENCE
                || failure instanceof StorageException storage && storage.isPermanent();
    }

    private static void report(Leftover leftover, Throwable failure) {
        LOG.warnf(
                "uploads or files of a run could not be removed and may stay in the bucket: tenant_id=%s export_id=%s run_id=%s"
                        + " folder=%s reason=%s",
                leftover.tenantId(), leftover.exportId(), leftover.runId(), leftover.folder(),
                failure);
    }
}
