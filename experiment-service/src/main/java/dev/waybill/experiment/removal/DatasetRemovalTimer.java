package dev.waybill.experiment.removal;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Finishes removals that a terminated replica left incomplete. */
@Singleton
class DatasetRemovalTimer {

    private final DatasetRemovalService removals;

    DatasetRemovalTimer(DatasetRemovalService removals) {
        this.removals = removals;
    }

    @Scheduled(every = "1m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> finish() {
        return removals.finishInterrupted();
    }
}
