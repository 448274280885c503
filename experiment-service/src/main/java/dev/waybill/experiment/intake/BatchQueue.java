package dev.waybill.experiment.intake;

import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.limit.KeyedSemaphore;
import dev.waybill.common.reactive.Blocking;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;

/** Queues batches for the database: each batch is stored when its workspace gets a permit (docs/decisions/0029). */
@Singleton
class BatchQueue {

    private final BatchStore store;
    private final Blocking blocking;
    private final KeyedSemaphore semaphore;

    BatchQueue(BatchStore store, Blocking blocking, IntakeConfig config, MeterRegistry meters) {
        this.store = store;
        this.blocking = blocking;
        this.semaphore = new KeyedSemaphore(config.maxConcurrentWrites());
        meters.gauge("waybill.intake.batches.waiting", semaphore, KeyedSemaphore::waiting);
    }

    /** Completes when the batch is committed. */
    Uni<Void> store(UUID tenantId, Batch batch) {
        return semaphore.withPermit(tenantId, blocking, () -> store.store(tenantId, batch));
    }

    /**
     * Stores the batch as {@link #store(UUID, Batch)}, running {@code hook} in the transaction before the runs are inserted.
     */
    Uni<Void> store(UUID tenantId, Batch batch, PreInsertHook hook) {
        return semaphore.withPermit(tenantId, blocking, () -> store.store(tenantId, batch, hook));
    }
}
