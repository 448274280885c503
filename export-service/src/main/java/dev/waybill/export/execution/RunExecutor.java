package dev.waybill.export.execution;

import java.util.List;

import jakarta.inject.Singleton;

import dev.waybill.export.destination.Destinations;
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

    private final Destinations destinations;
    private final RunWriter writer;
    private final RunPublisher publisher;
    private final Leftovers leftovers;
    private final CrashPoint crash;

    RunExecutor(Destinations destinations, RunWriter writer, RunPublisher publisher, Leftovers leftovers, CrashPoint crash) {
        this.destinations = destinations;
        this.writer = writer;
        this.publisher = publisher;
        this.leftovers = leftovers;
        this.crash = crash;
    }

    /** From the rows, or from the commit record of an attempt before, to a completed run. */
    Uni<Void> execute(Attempt attempt, AttemptProgress progress) {
        crash.reached(CrashPoint.Step.BEGUN);
        return destinations.open(attempt.lease().tenantId(), attempt.destinationId())
                .chain(destination -> execute(attempt, destination, progress));
    }

    private Uni<Void> execute(Attempt attempt, OpenDestination destination, AttemptProgress progress) {
        List<RunFile> committed = attempt.committed();
        if (committed != null) {
            progress.committing();
            return publisher.publish(attempt, committed, destination)
                    .onTermination().invoke(destination::close);
        }
        return leftovers.abortBefore(attempt)
                .chain(() -> writer.write(attempt, destination, progress))
                .chain(files -> finish(attempt, files, destination, progress)
                        .onTermination().invoke(destination::close));
    }

    private Uni<Void> finish(Attempt attempt, List<RunFile> files, OpenDestination destination, AttemptProgress progress) {
        if (files.isEmpty()) {
            return publisher.publish(attempt, files, destination);
        }
        progress.committing();
        return publisher.commit(attempt, files)
                .chain(() -> publisher.publish(attempt, files, destination));
    }
}
