package dev.waybill.common.idempotency;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Deletes expired idempotency keys. */
@Singleton
class IdempotencyTimer {

    private final IdempotencyTable table;

    IdempotencyTimer(IdempotencyTable table) {
        this.table = table;
    }

    @Scheduled(every = "10m", delayed = "1m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> deleteExpired() {
        return table.deleteExpired();
    }
}
