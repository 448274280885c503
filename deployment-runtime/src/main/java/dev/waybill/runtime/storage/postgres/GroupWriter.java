package dev.waybill.runtime.storage.postgres;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

import dev.waybill.common.limit.MemoryBudget;
import dev.waybill.runtime.storage.FenceLostException;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.postgres.CheckpointGroup.Write;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;

/** Writes of runs, in the order in which they were added. A write that fails has no effect on the others of its group. */
final class GroupWriter {

    /** Memory of a queued write without its values. */
    private static final int OVERHEAD_BYTES = 1024;

    private final CallGroups<Write, Boolean> groups;
    private final MemoryBudget budget;

    /**
     * @param context the context of the writer's statements
     * @param budget memory of queued writes
     * @param overtaking see {@link CallGroups}
     */
    GroupWriter(DeploymentSql sql, Context context, MemoryBudget budget, Semaphore overtaking) {
        this.groups = new CallGroups<>(context, writes -> store(sql, writes), write -> write.fence().thread().key(),
                overtaking);
        this.budget = budget;
    }

    private static Uni<List<Boolean>> store(DeploymentSql sql, List<Write> writes) {
        return CheckpointGroup.store(sql, writes)
                .map(held -> writes.stream().map(write -> held.contains(write.fence())).toList());
    }

    /** Stores a write with its group and completes after the commit. */
    Uni<Void> add(Write write) {
        long reserved = write.bytes() + OVERHEAD_BYTES;
        return Uni.createFrom().deferred(() -> {
            if (!budget.tryReserve(reserved)) {
                return Uni.createFrom().failure(new StorageException(
                        "Too many bytes wait to be written to the database of threads; retry later.", null));
            }
            CompletableFuture<Boolean> stored = groups.add(write, reserved);
            stored.whenComplete((held, failure) -> budget.release(reserved));
            return DeploymentSql.onCallersContext(Uni.createFrom().completionStage(stored::copy))
                    .invoke(held -> {
                        if (!held) {
                            throw new FenceLostException(write.fence());
                        }
                    })
                    .replaceWithVoid();
        });
    }

    /** Rejects further writes, and completes after those that were added before. */
    Uni<Void> close() {
        return groups.close();
    }
}
