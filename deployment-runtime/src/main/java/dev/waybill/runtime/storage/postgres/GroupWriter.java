package dev.waybill.runtime.storage.postgres;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.limit.MemoryBudget;
import dev.waybill.runtime.storage.FenceLostException;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.postgres.CheckpointGroup.Write;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.pgclient.PgException;

/**
 * Writes of runs, in the order in which they were added: one statement at a time stores the writes added since the one
 * before. A write that fails has no effect on the others of its group. All state belongs to one context.
 */
final class GroupWriter {

    private static final int MAX_GROUP = 256;
    private static final long MAX_GROUP_BYTES = 8L << 20;
    /** Memory of a queued write without its values. */
    private static final int OVERHEAD_BYTES = 1024;

    private final DeploymentSql sql;
    private final Context context;
    private final MemoryBudget budget;
    private final Deque<Queued> queue = new ArrayDeque<>();
    private boolean writing;
    private @Nullable UniEmitter<? super Void> closing;

    /**
     * @param context the context of the writer's transactions
     * @param budget memory of queued writes
     */
    GroupWriter(DeploymentSql sql, Context context, MemoryBudget budget) {
        this.sql = sql;
        this.context = context;
        this.budget = budget;
    }

    /** Stores a write with its group and completes after the commit. */
    Uni<Void> add(Write write) {
        long reserved = write.bytes() + OVERHEAD_BYTES;
        return DeploymentSql.onCallersContext(Uni.createFrom().emitter(emitter -> {
            if (budget.tryReserve(reserved)) {
                context.runOnContext(ignored -> add(new Queued(write, reserved, emitter)));
            } else {
                emitter.fail(new StorageException("Too many bytes wait to be written to the database of threads; retry later.",
                        null));
            }
        }));
    }

    private void add(Queued write) {
        if (closing == null) {
            queue.add(write);
            writeNextGroup();
        } else {
            fail(List.of(write), new StorageException("The storage of threads is closed.", null));
        }
    }

    /** Rejects further writes, and completes after those that were added before. */
    Uni<Void> close() {
        return Uni.createFrom().emitter(emitter -> context.runOnContext(ignored -> {
            closing = emitter;
            writeNextGroup();
        }));
    }

    private void writeNextGroup() {
        if (writing) {
            return;
        }
        if (queue.isEmpty()) {
            if (closing != null) {
                closing.complete(null);
            }
            return;
        }
        writing = true;
        store(nextGroup()).subscribeAsCompletionStage().whenComplete((ignored, failure) -> {
            writing = false;
            writeNextGroup();
        });
    }

    private List<Queued> nextGroup() {
        List<Queued> group = new ArrayList<>();
        long bytes = 0;
        while (!queue.isEmpty() && group.size() < MAX_GROUP
                && (group.isEmpty() || bytes + queue.getFirst().reserved() <= MAX_GROUP_BYTES)) {
            bytes += queue.getFirst().reserved();
            group.add(queue.removeFirst());
        }
        return group;
    }

    /** Stores a group and completes its writes, one by one if PostgreSQL rejects the group; never fails. */
    private Uni<Void> store(List<Queued> group) {
        List<Write> writes = group.stream().map(Queued::write).toList();
        return CheckpointGroup.store(sql, writes)
                .invoke(held -> group.forEach(write -> complete(write, held)))
                .replaceWithVoid()
                .onFailure().recoverWithUni(failure -> group.size() > 1 && failure.getCause() instanceof PgException
                        ? storeOneByOne(group)
                        : fail(group, failure));
    }

    private Uni<Void> storeOneByOne(List<Queued> group) {
        Uni<Void> stored = Uni.createFrom().voidItem();
        for (Queued write : group) {
            stored = stored.chain(() -> store(List.of(write)));
        }
        return stored;
    }

    private void complete(Queued write, Set<RunFence> held) {
        budget.release(write.reserved());
        if (held.contains(write.write().fence())) {
            write.result().complete(null);
        } else {
            write.result().fail(new FenceLostException(write.write().fence()));
        }
    }

    private Uni<Void> fail(List<Queued> group, Throwable failure) {
        for (Queued write : group) {
            budget.release(write.reserved());
            write.result().fail(failure);
        }
        return Uni.createFrom().voidItem();
    }

    private record Queued(Write write, long reserved, UniEmitter<? super Void> result) {
    }
}
