package dev.waybill.controlplane.push;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Schedules the removal of expired deliveries. */
@Singleton
class PushTimer {

    private final PushService pushes;

    PushTimer(PushService pushes) {
        this.pushes = pushes;
    }

    @Scheduled(identity = "push-sweep", every = "1h", delayed = "2m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> deleteExpired() {
        return pushes.deleteExpired();
    }
}
