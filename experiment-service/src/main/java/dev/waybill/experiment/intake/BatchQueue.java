package dev.waybill.experiment.intake;

import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.reactive.Blocking;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;

/** Stands before the database: a batch is stored when its workspace's turn has come (docs/decisions/0029). */
@Singleton
class BatchQueue {

    private final BatchStore store;
    private final KeyedSemaphore turns;

    BatchQueue(BatchStore store, Blocking blocking, IntakeConfig config, MeterRegistry meters) {
        this.store = store;
        this.turns = new KeyedSemaphore(blocking, config.atOnce());
        meters.gauge("waybill.intake.batches.waiting", turns, KeyedSemaphore::waiting);
    }

    /** Completes once the batch is committed. */
    Uni<Void> store(UUID tenantId, Batch batch) {
        return turns.inTurn(tenantId, () -> store.store(tenantId, batch));
    }

    /** As {@link #store(UUID, Batch)}, with something to do in the same transaction before the runs are written. */
    Uni<Void> store(UUID tenantId, Batch batch, PreInsertHook preparation) {
        return turns.inTurn(tenantId, () -> store.store(tenantId, batch, preparation));
    }
}
