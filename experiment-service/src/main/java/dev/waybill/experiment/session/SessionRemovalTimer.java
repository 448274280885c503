package dev.waybill.experiment.session;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Deletes the runs of removed sessions. */
@Singleton
class SessionRemovalTimer {

    private final SessionRemovalService removals;

    SessionRemovalTimer(SessionRemovalService removals) {
        this.removals = removals;
    }

    @Scheduled(every = "2s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> deleteRuns() {
        return removals.deleteRuns();
    }
}
