package dev.waybill.controlplane.revision;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Polls for changes by other replicas while clients wait. */
@Singleton
class RevisionTimer {

    private final RevisionPoller poller;

    RevisionTimer(RevisionPoller poller) {
        this.poller = poller;
    }

    @Scheduled(identity = "revision-watch", every = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> poll() {
        return poller.poll();
    }
}
