package dev.waybill.runtime.storage.postgres;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.StorageException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;

/**
 * Calls of several runs that one statement executes, in the order in which they were added. One group at a time is executed.
 * The next one begins at once if the one before is older than the interval, so that only calls of a busy process wait. If
 * PostgreSQL rejects a group, its calls are executed one by one. All state belongs to one context.
 */
final class CallGroups<T, R> {

    private static final int MAX_GROUP = 256;
    private static final long MAX_GROUP_BYTES = 8L << 20;
    /** Minimum time between the starts of two groups. */
    private static final long INTERVAL_MILLIS = 20;

    private final Context context;
    private final Function<List<T>, Uni<List<R>>> statement;
    private final Deque<Call<T, R>> queue = new ArrayDeque<>();
    private long startedNanos = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(INTERVAL_MILLIS);
    private boolean executing;
    private boolean waiting;
    private @Nullable UniEmitter<? super Void> closing;

    /**
     * @param context the context of the statements
     * @param statement returns the results of calls, in their order
     */
    CallGroups(Context context, Function<List<T>, Uni<List<R>>> statement) {
        this.context = context;
        this.statement = statement;
    }

    /** Executes a call with its group, also if the caller has cancelled it. */
    Uni<R> execute(T call, long bytes) {
        return DeploymentSql.onCallersContext(Uni.createFrom().completionStage(() -> add(call, bytes).copy()));
    }

    /**
     * Adds a call to the next group.
     *
     * @param bytes size of its values
     * @return the result; must not be cancelled
     */
    CompletableFuture<R> add(T call, long bytes) {
        CompletableFuture<R> result = new CompletableFuture<>();
        context.runOnContext(ignored -> add(new Call<>(call, bytes, result)));
        return result;
    }

    private void add(Call<T, R> call) {
        if (closing == null) {
            queue.add(call);
            executeNext();
        } else {
            call.result().completeExceptionally(new StorageException("The storage of threads is closed.", null));
        }
    }

    /** Rejects further calls, and completes after those that were added before. */
    Uni<Void> close() {
        return Uni.createFrom().emitter(emitter -> context.runOnContext(ignored -> {
            closing = emitter;
            executeNext();
        }));
    }

    private void executeNext() {
        if (executing || waiting) {
            return;
        }
        if (queue.isEmpty()) {
            if (closing != null) {
                closing.complete(null);
            }
            return;
        }
        long remaining = INTERVAL_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
        if (remaining > 0 && queue.size() < MAX_GROUP) {
            waiting = true;
            context.owner().setTimer(remaining, ignored -> context.runOnContext(again -> {
                waiting = false;
                executeNext();
            }));
            return;
        }
        startedNanos = System.nanoTime();
        executing = true;
        execute(nextGroup()).subscribeAsCompletionStage()
                .whenComplete((ignored, failure) -> context.runOnContext(again -> {
                    executing = false;
                    executeNext();
                }));
    }

    private List<Call<T, R>> nextGroup() {
        List<Call<T, R>> group = new ArrayList<>();
        long bytes = 0;
        while (!queue.isEmpty() && group.size() < MAX_GROUP
                && (group.isEmpty() || bytes + queue.getFirst().bytes() <= MAX_GROUP_BYTES)) {
            bytes += queue.getFirst().bytes();
            group.add(queue.removeFirst());
        }
        return group;
    }

    /** Executes a group and completes its calls; never fails. */
    private Uni<Void> execute(List<Call<T, R>> group) {
        return store(group).onFailure().recoverWithUni(failure -> group.size() > 1 && DeploymentSql.isRejected(failure)
                ? executeOneByOne(group)
                : fail(group, failure));
    }

    private Uni<Void> store(List<Call<T, R>> group) {
        return Uni.createFrom().deferred(() -> statement.apply(group.stream().map(Call::call).toList()))
                .invoke(results -> {
                    for (int i = 0; i < group.size(); i++) {
                        group.get(i).result().complete(results.get(i));
                    }
                })
                .replaceWithVoid();
    }

    /** Executes calls of a rejected group. All that remain fail if the server does not execute one: each would wait for it. */
    private Uni<Void> executeOneByOne(List<Call<T, R>> group) {
        Uni<Void> executed = Uni.createFrom().voidItem();
        for (Call<T, R> call : group) {
            List<Call<T, R>> alone = List.of(call);
            executed = executed.chain(() -> store(alone).onFailure(DeploymentSql::isRejected)
                    .recoverWithUni(failure -> fail(alone, failure)));
        }
        return executed.onFailure().recoverWithUni(failure -> fail(group, failure));
    }

    /** Fails the calls that have no result yet. */
    private static <T, R> Uni<Void> fail(List<Call<T, R>> calls, Throwable failure) {
        calls.forEach(call -> call.result().completeExceptionally(failure));
        return Uni.createFrom().voidItem();
    }

    private record Call<T, R>(T call, long bytes, CompletableFuture<R> result) {
    }
}
