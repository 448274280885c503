package dev.waybill.runtime.storage.postgres;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.StorageException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;

/**
 * Calls of several runs that one statement executes; calls of a thread are executed in the order in which they were added. The
 * next group begins at once if the one before has ended and is older than the interval, so that only calls of a busy process
 * wait. If it takes long, because of a lock or a slow commit, one more group may overtake it, with calls of other threads,
 * unless a group of another queue does: blocked groups must not use all connections. If PostgreSQL rejects a group, its calls
 * are executed one by one. All state belongs to one context.
 */
final class CallGroups<T, R> {

    private static final int MAX_GROUP = 256;
    private static final long MAX_GROUP_BYTES = 8L << 20;
    /** Minimum time between the starts of two groups. */
    private static final long INTERVAL_MILLIS = 20;
    /** Time of a group after which another one overtakes it. */
    private static final long OVERTAKE_MILLIS = 500;
    private static final int MAX_EXECUTING = 2;

    private final Context context;
    private final Function<List<T>, Uni<List<R>>> statement;
    private final Function<T, Object> thread;
    private final Semaphore overtaking;
    private final Deque<Call<T, R>> queue = new ArrayDeque<>();
    private final List<Group<T, R>> executing = new ArrayList<>();
    private long startedNanos = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(INTERVAL_MILLIS);
    private boolean waitsForInterval;
    private boolean waitsToOvertake;
    private @Nullable UniEmitter<? super Void> closing;

    /**
     * @param context the context of the statements
     * @param statement returns the results of calls, in their order
     * @param thread returns the thread of a call
     * @param overtaking permit of the queues that use the same connections: one of them executes two groups
     */
    CallGroups(Context context, Function<List<T>, Uni<List<R>>> statement, Function<T, Object> thread, Semaphore overtaking) {
        this.context = context;
        this.statement = statement;
        this.thread = thread;
        this.overtaking = overtaking;
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
        if (queue.isEmpty()) {
            if (closing != null && executing.isEmpty()) {
                closing.complete(null);
            }
            return;
        }
        if (executing.size() == MAX_EXECUTING || waitsToOvertake() || waitsForInterval()) {
            return;
        }
        boolean overtakes = !executing.isEmpty();
        if (overtakes && !overtaking.tryAcquire()) {
            overtakeAfter(OVERTAKE_MILLIS);
            return;
        }
        List<Call<T, R>> calls = nextGroup();
        if (!calls.isEmpty()) {
            startedNanos = System.nanoTime();
            Group<T, R> group = new Group<>(calls, startedNanos);
            executing.add(group);
            execute(calls).subscribeAsCompletionStage()
                    .whenComplete((ignored, failure) -> context.runOnContext(again -> ended(group)));
        } else if (overtakes) {
            overtaking.release();
        }
    }

    private void ended(Group<T, R> group) {
        executing.removeIf(ended -> ended == group);
        if (!executing.isEmpty()) {
            // The remaining group is the only one, whichever began first.
            overtaking.release();
        }
        executeNext();
    }

    /** Returns whether another group may overtake the executing one later only; a timer calls {@link #executeNext} then. */
    private boolean waitsToOvertake() {
        long remaining = executing.isEmpty() ? 0 : OVERTAKE_MILLIS - millisSince(executing.getLast().startedNanos());
        if (remaining > 0) {
            overtakeAfter(remaining);
        }
        return remaining > 0;
    }

    private void overtakeAfter(long millis) {
        if (!waitsToOvertake) {
            waitsToOvertake = true;
            after(millis, () -> waitsToOvertake = false);
        }
    }

    /** Returns whether the interval between two groups has not passed; a timer calls {@link #executeNext} then. */
    private boolean waitsForInterval() {
        long remaining = queue.size() < MAX_GROUP ? INTERVAL_MILLIS - millisSince(startedNanos) : 0;
        if (remaining > 0 && !waitsForInterval) {
            waitsForInterval = true;
            after(remaining, () -> waitsForInterval = false);
        }
        return remaining > 0;
    }

    private void after(long millis, Runnable change) {
        context.owner().setTimer(millis, ignored -> context.runOnContext(again -> {
            change.run();
            executeNext();
        }));
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    /** Removes and returns calls of the queue, except those of threads that are part of an executing group. */
    private List<Call<T, R>> nextGroup() {
        Set<Object> threads = executing.stream().flatMap(group -> group.calls().stream())
                .map(call -> thread.apply(call.call())).collect(Collectors.toSet());
        List<Call<T, R>> calls = new ArrayList<>();
        long bytes = 0;
        for (Iterator<Call<T, R>> next = queue.iterator(); next.hasNext() && calls.size() < MAX_GROUP;) {
            Call<T, R> call = next.next();
            if (threads.isEmpty() || !threads.contains(thread.apply(call.call()))) {
                bytes += call.bytes();
                if (!calls.isEmpty() && bytes > MAX_GROUP_BYTES) {
                    break;
                }
                calls.add(call);
                next.remove();
            }
        }
        return calls;
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

    private record Group<T, R>(List<Call<T, R>> calls, long startedNanos) {
    }

    private record Call<T, R>(T call, long bytes, CompletableFuture<R> result) {
    }
}
