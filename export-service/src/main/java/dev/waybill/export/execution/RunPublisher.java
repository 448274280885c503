package dev.waybill.export.execution;

import java.util.List;

import jakarta.inject.Singleton;

import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.AttemptService;
import dev.waybill.export.run.RunFile;
import dev.waybill.export.storage.CompletedUpload;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.trace.Snapshot;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Writes commit records, and makes the files of one visible. Whoever does the latter again finds what is done and does the
 * rest.
 */
@Singleton
class RunPublisher {

    private final AttemptService attempts;
    private final CrashPoint crash;

    RunPublisher(AttemptService attempts, CrashPoint crash) {
        this.attempts = attempts;
        this.crash = crash;
    }

    /** Completes a run that found no rows; what it saw of the traces is noted with that. */
    Uni<Void> completeEmpty(Attempt attempt, Snapshot snapshot) {
        return attempts.completeEmpty(attempt.lease(), snapshot);
    }

    /** From here on recovery completes these files, whose parts are all in the store. */
    Uni<Void> commit(Attempt attempt, List<RunFile> files, Snapshot snapshot) {
        return attempts.commit(attempt.lease(), files, snapshot)
                .invoke(() -> crash.reached(attempt.lease().tenantId(), CrashPoint.Step.COMMITTED));
    }

    /** Completes the uploads one after the other, each with its size verified where that is allowed, then the run. */
    Uni<Void> publish(Attempt attempt, List<RunFile> files, OpenDestination destination) {
        return complete(attempt, destination.store(), files)
                .invoke(() -> crash.reached(attempt.lease().tenantId(), CrashPoint.Step.PUBLISHED))
                .chain(verified -> attempts.complete(attempt.lease(), verified));
    }

    /** The keys of those files whose size was verified. */
    private Uni<List<String>> complete(Attempt attempt, ObjectStore store, List<RunFile> files) {
        return Multi.createFrom().iterable(files)
                .onItem().transformToUniAndConcatenate(file -> store.complete(file.upload()))
                .invoke(() -> crash.reached(attempt.lease().tenantId(), CrashPoint.Step.FILE_VISIBLE))
                .filter(CompletedUpload::verified)
                .map(CompletedUpload::key)
                .collect().asList();
    }
}
