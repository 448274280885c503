package dev.waybill.export.execution;

import java.util.List;

import jakarta.inject.Singleton;

import dev.waybill.export.destination.DestinationOpener;
import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.RunFile;
import io.smallrye.mutiny.Uni;

/**
 * How a run goes from its rows to its files (docs/architecture.md "Export"). An attempt opens its destination once, so it keeps
 * the credentials that it began with.
 */
@Singleton
class RunExecutor {

    private final DestinationOpener destinations;
    private final RunWriter writer;
    private final RunPublisher publisher;
    private final Leftovers leftovers;
    private final CrashPoint crash;

    RunExecutor(DestinationOpener destinations, RunWriter writer, RunPublisher publisher, Leftovers leftovers,
            CrashPoint crash) {
        this.destinations = destinations;
        this.writer = writer;
        this.publisher = publisher;
        this.leftovers = leftovers;
        this.crash = crash;
    }

    /** From the rows, or from the commit record of an attempt before, to a completed run. */
    Uni<Void> execute(Attempt attempt, AttemptProgress progress) {
        crash.reached(attempt.lease().tenantId(), CrashPoint.Step.BEGUN);
        List<RunFile> committed = attempt.committed();
        return committed == null
                ? leftovers.abortBefore(attempt)
                        .chain(() -> open(attempt))
                        .chain(destination -> fromTheRows(attempt, destination, progress))
                : open(attempt)
                        .chain(destination -> fromTheRecord(attempt, committed, destination, progress));
    }

    private Uni<OpenDestination> open(Attempt attempt) {
        return destinations.open(attempt.lease().tenantId(), attempt.destinationId());
    }

    // Until it has all files, the writer closes the destination: its thread may still abort uploads when the work is cancelled.
    private Uni<Void> fromTheRows(Attempt attempt, OpenDestination destination, AttemptProgress progress) {
        return writer.write(attempt, destination, progress)
                .chain(files -> finish(attempt, files, destination, progress)
                        .onTermination().invoke(destination::close));
    }

    private Uni<Void> fromTheRecord(Attempt attempt, List<RunFile> committed, OpenDestination destination,
            AttemptProgress progress) {
        progress.committing();
        return publisher.publish(attempt, committed, destination)
                .onTermination().invoke(destination::close);
    }

    private Uni<Void> finish(Attempt attempt, List<RunFile> files, OpenDestination destination, AttemptProgress progress) {
        if (files.isEmpty()) {
            return publisher.completeEmpty(attempt, progress.snapshot());
        }
        progress.committing();
        return publisher.commit(attempt, files, progress.snapshot())
                .chain(() -> publisher.publish(attempt, files, destination));
    }
}
