package dev.waybill.experiment.retention;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Deletes expired runs every hour. */
@Singleton
class RetentionTimer {

    private final RetentionService retention;

    RetentionTimer(RetentionService retention) {
        this.retention = retention;
    }

    @Scheduled(identity = "retention", every = "1h", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> delete() {
        return retention.deleteExpired();
    }
}
