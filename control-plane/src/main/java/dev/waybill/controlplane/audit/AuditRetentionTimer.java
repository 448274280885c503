package dev.waybill.controlplane.audit;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Deletes expired events. */
@Singleton
class AuditRetentionTimer {

    private final AuditEventService events;

    AuditRetentionTimer(AuditEventService events) {
        this.events = events;
    }

    @Scheduled(identity = "audit-retention", every = "1h", delayed = "5m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> deleteExpired() {
        return events.deleteExpired();
    }
}
