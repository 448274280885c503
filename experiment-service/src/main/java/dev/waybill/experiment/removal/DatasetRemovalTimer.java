package dev.waybill.experiment.removal;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Looks for removals that a killed replica left behind. */
@Singleton
class DatasetRemovalTimer {

    private final DatasetRemovalService removals;

    DatasetRemovalTimer(DatasetRemovalService removals) {
        this.removals = removals;
    }

    @Scheduled(every = "1m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> finish() {
        return removals.finishLeftBehind();
    }
}
