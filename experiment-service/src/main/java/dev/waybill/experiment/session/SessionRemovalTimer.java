package dev.waybill.experiment.session;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Looks for removals that a killed replica left behind. */
@Singleton
class SessionRemovalTimer {

    private final SessionRemovalService removals;

    SessionRemovalTimer(SessionRemovalService removals) {
        this.removals = removals;
    }

    @Scheduled(every = "1m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> finish() {
        return removals.finishLeftBehind();
    }
}
