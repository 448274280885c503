package dev.waybill.common.idempotency;

import jakarta.inject.Singleton;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Removes keys that have had their time. */
@Singleton
class IdempotencyTimer {

    private final IdempotencyTable table;

    IdempotencyTimer(IdempotencyTable table) {
        this.table = table;
    }

    @Scheduled(every = "10m", delayed = "1m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> sweep() {
        return table.sweep();
    }
}
