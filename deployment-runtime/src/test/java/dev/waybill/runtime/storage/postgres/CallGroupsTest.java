package dev.waybill.runtime.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.storage.StorageException;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgException;

/** Failures of groups. */
class CallGroupsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int FIRST = 100;

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger rejected = new AtomicInteger();
    private final Semaphore overtaking = new Semaphore(1) {

        @Override
        public boolean tryAcquire() {
            boolean acquired = super.tryAcquire();
            rejected.addAndGet(acquired ? 0 : 1);
            return acquired;
        }
    };
    private final CompletableFuture<List<Integer>> first = new CompletableFuture<>();
    private final List<List<Integer>> executed = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void callThatCannotBeSentFailsAlone() {
        List<CompletableFuture<Integer>> results = executeGroup(calls -> {
            if (calls.contains(2)) {
                throw new IllegalStateException("a value cannot be written");
            }
            return Uni.createFrom().item(calls);
        });

        assertThat(results.get(0)).succeedsWithin(PATIENCE);
        assertThat(results.get(1)).failsWithin(PATIENCE);
        assertThat(results.get(2)).succeedsWithin(PATIENCE);
    }

    @Test
    void rejectedCallFailsAlone() {
        List<CompletableFuture<Integer>> results = executeGroup(
                calls -> calls.contains(2) ? failure(rejection("22021")) : Uni.createFrom().item(calls));

        assertThat(results.get(0)).succeedsWithin(PATIENCE);
        assertThat(results.get(1)).failsWithin(PATIENCE);
        assertThat(results.get(2)).succeedsWithin(PATIENCE);
        assertThat(executed).containsExactly(List.of(FIRST), List.of(1, 2, 3), List.of(1), List.of(2), List.of(3));
    }

    @Test
    void callsAreNotExecutedAloneOnAServerThatStops() {
        List<CompletableFuture<Integer>> results = executeGroup(calls -> failure(rejection("57P01")));

        assertThat(results).allSatisfy(result -> assertThat(result).failsWithin(PATIENCE));
        assertThat(executed).containsExactly(List.of(FIRST), List.of(1, 2, 3));
    }

    @Test
    void remainingCallsOfARejectedGroupFailWithTheServer() {
        List<CompletableFuture<Integer>> results = executeGroup(
                calls -> failure(calls.size() > 1 ? rejection("22021") : new IOException("connection refused")));

        assertThat(results).allSatisfy(result -> assertThat(result).failsWithin(PATIENCE));
        assertThat(executed).containsExactly(List.of(FIRST), List.of(1, 2, 3), List.of(1));
    }

    @Test
    void otherThreadsOvertakeABlockedGroup() {
        CallGroups<Integer, Integer> groups = new CallGroups<>(vertx.getOrCreateContext(), calls -> {
            executed.add(calls);
            return calls.contains(FIRST) ? Uni.createFrom().completionStage(first) : Uni.createFrom().item(calls);
        }, call -> call % FIRST, overtaking);
        CompletableFuture<Integer> blocked = groups.add(FIRST, 1);
        CompletableFuture<Integer> ofSameThread = groups.add(2 * FIRST, 1);
        CompletableFuture<Integer> ofOtherThread = groups.add(1, 1);

        assertThat(ofOtherThread).succeedsWithin(PATIENCE);
        assertThat(blocked).isNotDone();
        assertThat(groups.add(2, 1)).succeedsWithin(PATIENCE);
        assertThat(ofSameThread).isNotDone();
        first.complete(List.of(FIRST));

        assertThat(ofSameThread).succeedsWithin(PATIENCE);
        assertThat(executed).containsExactly(List.of(FIRST), List.of(1), List.of(2), List.of(2 * FIRST));
    }

    @Test
    void groupOvertakesWhenNoOtherQueueDoes() {
        CallGroups<Integer, Integer> groups = new CallGroups<>(vertx.getOrCreateContext(), calls -> {
            executed.add(calls);
            return calls.contains(FIRST) ? Uni.createFrom().completionStage(first) : Uni.createFrom().item(calls);
        }, call -> call, overtaking);
        overtaking.acquireUninterruptibly();
        groups.add(FIRST, 1);
        CompletableFuture<Integer> waiting = groups.add(1, 1);
        Patience.await().until(() -> rejected.get() > 0);
        assertThat(executed).containsExactly(List.of(FIRST));

        overtaking.release();

        assertThat(waiting).succeedsWithin(PATIENCE);
        assertThat(first).isNotDone();
        Patience.await().until(() -> overtaking.availablePermits() == 1);
    }

    /** Executes three calls in one group, because another statement is being executed when they are added. */
    private List<CompletableFuture<Integer>> executeGroup(Statement statement) {
        CallGroups<Integer, Integer> groups = new CallGroups<>(vertx.getOrCreateContext(), calls -> {
            executed.add(calls);
            return calls.contains(FIRST) ? Uni.createFrom().completionStage(first) : statement.execute(calls);
        }, call -> call, overtaking);
        groups.add(FIRST, 1);
        List<CompletableFuture<Integer>> results = Stream.of(1, 2, 3).map(call -> groups.add(call, 1)).toList();
        first.complete(List.of(FIRST));
        return results;
    }

    private static Uni<List<Integer>> failure(Exception cause) {
        return Uni.createFrom().failure(new StorageException("The statement was not executed.", cause));
    }

    private static PgException rejection(String state) {
        return new PgException("rejected", "ERROR", state, null);
    }

    private interface Statement {

        Uni<List<Integer>> execute(List<Integer> calls);
    }
}
