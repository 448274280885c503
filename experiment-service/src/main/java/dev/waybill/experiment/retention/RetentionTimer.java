package dev.waybill.experiment.retention;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Looks for runs that are too old. */
@Singleton
class RetentionTimer {

    private final RetentionService retention;

    RetentionTimer(RetentionService retention) {
        this.retention = retention;
    }

    @Scheduled(identity = "retention", every = "{waybill.retention.every}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> remove() {
        return retention.removeOld();
    }
}
