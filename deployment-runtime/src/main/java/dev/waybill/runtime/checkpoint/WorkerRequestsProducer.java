package dev.waybill.runtime.checkpoint;

import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.worker.WorkerConfig;
import dev.waybill.runtime.worker.WorkerRequests;

/** Produces the executor of workers' requests if this runtime stores threads. */
final class WorkerRequestsProducer {

    private static final long MAX_LINE = Integer.MAX_VALUE - 16;

    private WorkerRequestsProducer() {
    }

    @Produces
    @Dependent
    static @Nullable WorkerRequests requests(RuntimeStorage storage, RequestScopes scopes, WorkerConfig config) {
        return storage.find().isEmpty() ? null
                : new CheckpointRequests(scopes, (int) Math.min(MAX_LINE, config.maxLineSize().asLongValue()));
    }
}
