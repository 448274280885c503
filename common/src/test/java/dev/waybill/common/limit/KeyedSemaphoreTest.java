package dev.waybill.common.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

class KeyedSemaphoreTest {

    private static final UUID ONE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);

    private final Blocking blocking = new Blocking();
    private final KeyedSemaphore single = new KeyedSemaphore(1);
    private final List<String> started = new CopyOnWriteArrayList<>();
    private final List<UUID> granted = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> first = new CompletableFuture<>();

    @Test
    void permitsRotateBetweenWorkspaces() {
        // Given
        run(ONE, "first", Uni.createFrom().completionStage(first));
        for (String name : List.of("one 1", "one 2", "one 3")) {
            run(ONE, name, Uni.createFrom().voidItem());
        }
        run(OTHER, "other", Uni.createFrom().voidItem());
        assertThat(single.waiting()).isEqualTo(4);
        assertThat(started).containsExactly("first");

        // When
        first.complete(null);

        // Then
        Patience.await().untilAsserted(
                () -> assertThat(started).containsExactly("first", "other", "one 1", "one 2", "one 3"));
        Patience.await().until(() -> single.waiting() == 0);
    }

    @Test
    void failedAndCancelledWorkReleasesItsPermit() {
        // Given
        run(ONE, "first", Uni.createFrom().completionStage(first));
        Cancellable cancelled = run(ONE, "gone", Uni.createFrom().voidItem());
        run(OTHER, "fails", Uni.createFrom().failure(new IllegalStateException("no")));
        run(ONE, "last", Uni.createFrom().voidItem());

        // When
        cancelled.cancel();
        first.complete(null);

        // Then
        Patience.await().untilAsserted(() -> assertThat(started).containsExactlyInAnyOrder("first", "fails", "last"));
        Patience.await().untilAsserted(() -> {
            run(ONE, "again", Uni.createFrom().voidItem());
            assertThat(started).contains("again");
        });
    }

    @Test
    void workWithoutKeyStartsInTheOrderOfItsArrival() {
        // Given
        single.withPermit(blocking, () -> Uni.createFrom().completionStage(first)).subscribe().asCompletionStage();
        for (String name : List.of("a", "b", "c")) {
            single.withPermit(blocking, () -> {
                started.add(name);
                return Uni.createFrom().voidItem();
            }).subscribe().asCompletionStage();
        }

        // When
        first.complete(null);

        // Then
        Patience.await().untilAsserted(() -> assertThat(started).containsExactly("a", "b", "c"));
    }

    @Test
    void workspaceLimitLeavesPermitsToOthers() throws InterruptedException {
        // Given
        KeyedSemaphore semaphore = new KeyedSemaphore(5, 2);
        acquire(semaphore, ONE);
        acquire(semaphore, ONE);
        Thread third = waitsFor(semaphore, ONE);

        // When
        acquire(semaphore, OTHER);

        // Then
        assertThat(granted).containsExactly(ONE, ONE, OTHER);
        semaphore.release(ONE);
        third.join();
        assertThat(granted).hasSize(4);
    }

    @Test
    void singlePermitAlternatesBetweenWorkspaces() throws InterruptedException {
        // Given
        acquire(single, ONE);
        List<Thread> threads = Stream.of(ONE, ONE, ONE, OTHER).map(workspace -> waitsFor(single, workspace)).toList();

        // When
        for (int i = 1; i <= threads.size(); i++) {
            int before = i;
            single.release(granted.getLast());
            Patience.await().until(() -> granted.size() > before);
        }

        // Then
        assertThat(granted).containsExactly(ONE, OTHER, ONE, ONE, ONE);
    }

    @Test
    void interruptedWaiterHoldsNoPermit() throws InterruptedException {
        // Given
        acquire(single, ONE);
        Thread impatient = waitsFor(single, ONE);

        // When
        impatient.interrupt();
        impatient.join();
        single.release(ONE);

        // Then
        acquire(single, OTHER);
        assertThat(granted).containsExactly(ONE, OTHER);
    }

    private Cancellable run(UUID workspace, String name, Uni<Void> work) {
        return single
                .withPermit(workspace, blocking, () -> {
                    started.add(name);
                    return work;
                })
                .subscribe().with(done -> assertThat(done).isNull(), failure -> assertThat(failure).hasMessage("no"));
    }

    private Thread waitsFor(KeyedSemaphore semaphore, UUID workspace) {
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                acquire(semaphore, workspace);
            } catch (InterruptedException e) {
                // The waiter was interrupted on purpose.
            }
        });
        Patience.await().until(() -> thread.getState() == Thread.State.WAITING);
        return thread;
    }

    private void acquire(KeyedSemaphore semaphore, UUID workspace) throws InterruptedException {
        semaphore.acquire(workspace);
        granted.add(workspace);
    }
}
