package dev.waybill.runtime.storage;

import java.time.Instant;
import java.util.UUID;

/**
 * Permission to write for one attempt of a running run. A claim, the end of the run and its deletion void it.
 *
 * @param createdAt time in microseconds at which the run was stored; a later run with the same idempotency key has the same id
 */
public record RunFence(ThreadKey thread, UUID run, int attempt, Instant createdAt) {

    /** Returns the fence of the current attempt of a run. */
    public static RunFence of(RunStorage.StoredRun run) {
        return new RunFence(run.thread(), run.id(), run.attempt(), run.createdAt());
    }
}
