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
 * Writes commit records and completes their uploads, which makes the files visible. Publishing is idempotent: a repetition
 * completes the remaining uploads.
 */
@Singleton
class RunPublisher {

    private final AttemptService attempts;
    private final CrashPoint crash;

    RunPublisher(AttemptService attempts, CrashPoint crash) {
        this.attempts = attempts;
        this.crash = crash;
    }

    /** Completes a run without rows and stores the snapshot that it read. */
    Uni<Void> completeEmpty(Attempt attempt, Snapshot snapshot) {
        return attempts.completeEmpty(attempt.lease(), snapshot);
    }

    /** Writes the commit record of files whose parts are all uploaded; recovery completes them from now on. */
    Uni<Void> commit(Attempt attempt, List<RunFile> files, Snapshot snapshot) {
        return attempts.commit(attempt.lease(), files, snapshot)
                .invoke(() -> crash.reached(attempt.lease().tenantId(), CrashPoint.Step.COMMITTED));
    }

    /** Completes the uploads one by one, verifies each size where the store permits it, and completes the run. */
    Uni<Void> publish(Attempt attempt, List<RunFile> files, OpenDestination destination) {
        return complete(attempt, destination.store(), files)
                .invoke(() -> crash.reached(attempt.lease().tenantId(), CrashPoint.Step.PUBLISHED))
                .chain(verified -> attempts.complete(attempt.lease(), verified));
    }

    /** Returns the keys of the files whose size was verified. */
    private Uni<List<String>> complete(Attempt attempt, ObjectStore store, List<RunFile> files) {
        return Multi.createFrom().iterable(files)
                .onItem().transformToUniAndConcatenate(file -> store.complete(file.upload()))
                .invoke(() -> crash.reached(attempt.lease().tenantId(), CrashPoint.Step.FILE_VISIBLE))
                .filter(CompletedUpload::verified)
                .map(CompletedUpload::key)
                .collect().asList();
    }
}
