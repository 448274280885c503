package dev.waybill.export.execution;

import java.util.List;

import jakarta.inject.Singleton;

import dev.waybill.export.destination.DestinationOpener;
import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.RunFile;
import io.smallrye.mutiny.Uni;

/**
 * Executes one attempt: reads rows, writes and commits files (docs/architecture.md "Export"). An attempt opens its
 * destination once and uses the same credentials until it ends.
 */
@Singleton
class RunExecutor {

    private final DestinationOpener destinations;
    private final RunWriter writer;
    private final RunPublisher publisher;
    private final UploadCleanup uploads;
    private final CrashPoint crash;

    RunExecutor(DestinationOpener destinations, RunWriter writer, RunPublisher publisher, UploadCleanup uploads,
            CrashPoint crash) {
        this.destinations = destinations;
        this.writer = writer;
        this.publisher = publisher;
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
        return publisher.publish(attempt, committed, destination)
                .onTermination().invoke(destination::close);
    }

    private Uni<Void> finish(Attempt attempt, List<RunFile> files, OpenDestination destination, AttemptProgress progress) {
        if (files.isEmpty()) {
            return publisher.completeEmpty(attempt, progress.snapshot());
        }
        progress.commitStarted();
        return publisher.commit(attempt, files, progress.snapshot())
                .chain(() -> publisher.publish(attempt, files, destination));
    }
}
