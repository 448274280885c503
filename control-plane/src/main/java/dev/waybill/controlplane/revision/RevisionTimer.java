package dev.waybill.controlplane.revision;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Looks for what other replicas changed, as long as somebody waits here. */
@Singleton
class RevisionTimer {

    private final RevisionPoller watch;

    RevisionTimer(RevisionPoller watch) {
        this.watch = watch;
    }

    @Scheduled(identity = "revision-watch", every = "{waybill.revision.every}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> look() {
        return watch.look();
    }
}
