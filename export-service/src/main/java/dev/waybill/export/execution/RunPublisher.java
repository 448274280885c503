package dev.waybill.export.execution;

import java.util.List;

import jakarta.inject.Singleton;

import dev.waybill.export.destination.Destinations;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.AttemptService;
import dev.waybill.export.run.RunFile;
import dev.waybill.export.storage.ObjectStore;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Makes the files of a commit record visible. Whoever does it again finds what is done and does the rest. */
@Singleton
class RunPublisher {

    private final Destinations destinations;
    private final AttemptService attempts;
    private final CrashPoint crash;

    RunPublisher(Destinations destinations, AttemptService attempts, CrashPoint crash) {
        this.destinations = destinations;
        this.attempts = attempts;
        this.crash = crash;
    }

    /** Completes the uploads one after the other, each with its size verified where that is allowed, then the run. */
    Uni<Void> publish(Attempt attempt, List<RunFile> files) {
        return destinations.open(attempt.lease().tenantId(), attempt.destinationId())
                .chain(destination -> complete(destination.store(), files)
                        .onTermination().invoke(destination::close))
                .invoke(() -> crash.reached(CrashPoint.Step.PUBLISHED))
                .chain(() -> attempts.complete(attempt.lease()));
    }

    private Uni<Void> complete(ObjectStore store, List<RunFile> files) {
        return Multi.createFrom().iterable(files)
                .onItem().transformToUniAndConcatenate(file -> store.complete(file.upload()))
                .invoke(() -> crash.reached(CrashPoint.Step.FILE_VISIBLE))
                .collect().last()
                .replaceWithVoid();
    }
}
