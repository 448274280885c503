package dev.waybill.export.execution;

import dev.waybill.export.destination.DestinationOpener;
import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.AttemptService;
import dev.waybill.export.run.RunFile;
import dev.waybill.export.storage.CompletedUpload;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.trace.Snapshot;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Executes one attempt: reads rows, writes and commits files (docs/architecture.md "Export"). An attempt opens its
 * destination once and uses the same credentials until it ends.
 */
@Singleton
class RunExecutor {

    private final DestinationOpener destinations;
    private final RunWriter writer;
    private final AttemptService attempts;
    private final UploadCleanup uploads;
    private final CrashPoint crash;

    RunExecutor(DestinationOpener destinations, RunWriter writer, AttemptService attempts, UploadCleanup uploads,
            CrashPoint crash) {
        this.destinations = destinations;
        this.writer = writer;
        this.attempts = attempts;
        this.uploads = uploads;
        this.crash = crash;
    }

    /** Completes the run, from its rows or from the commit record of an earlier attempt. */
    Uni<Void> execute(Attempt attempt, AttemptProgress progress) {
        crash.reached(attempt.lease().tenantId(), CrashPoint.Step.STARTED);
        List<RunFile> committed = attempt.committed();
        return committed == null
                ? uploads.abortUploadsOfEarlierAttempts(attempt)
                        .chain(() -> open(attempt))
                        .chain(destination -> writeFiles(attempt, destination, progress))
                : open(attempt)
                        .chain(destination -> completeCommit(attempt, committed, destination, progress));
    }

    private Uni<OpenDestination> open(Attempt attempt) {
        return destinations.open(attempt.lease().tenantId(), attempt.destinationId());
    }

    // Until all files are written, the writer closes the destination: its thread may still abort uploads after a cancellation.
    private Uni<Void> writeFiles(Attempt attempt, OpenDestination destination, AttemptProgress progress) {
        return writer.write(attempt, destination, progress)
                .chain(files -> finish(attempt, files, destination, progress)
                        .onTermination().invoke(destination::close));
    }

    private Uni<Void> completeCommit(Attempt attempt, List<RunFile> committed, OpenDestination destination,
            AttemptProgress progress) {
        progress.commitStarted();
        return publish(attempt, committed, destination)
                .onTermination().invoke(destination::close);
    }

    private Uni<Void> finish(Attempt attempt, List<RunFile> files, OpenDestination destination, AttemptProgress progress) {
        if (files.isEmpty()) {
            return attempts.completeEmpty(attempt.lease(), progress.snapshot());
        }
        progress.commitStarted();
        return attempts.commit(attempt.lease(), files, progress.snapshot())
                .invoke(() -> crash.reached(attempt.lease().tenantId(), CrashPoint.Step.COMMITTED))
                .chain(() -> publish(attempt, files, destination));
    }

    // Makes the files visible by completing their uploads one by one. A repetition completes the remaining uploads.
    private Uni<Void> publish(Attempt attempt, List<RunFile> files, OpenDestination destination) {
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
