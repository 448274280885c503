package dev.waybill.controlplane.source.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;

/** Order of granted permits. */
class FetchLimiterTest {

    private final UUID greedy = UUID.randomUUID();
    private final UUID modest = UUID.randomUUID();
    private final List<UUID> granted = new CopyOnWriteArrayList<>();

    @Test
    void workspaceLimitLeavesPermitsToOthers() throws InterruptedException {
        // Given
        FetchLimiter limiter = new FetchLimiter(5);
        acquire(limiter, greedy);
        acquire(limiter, greedy);
        Thread third = waitsFor(limiter, greedy);

        // When
        acquire(limiter, modest);

        // Then
        assertThat(granted).containsExactly(greedy, greedy, modest);
        limiter.release(greedy);
        third.join();
        assertThat(granted).hasSize(4);
    }

    @Test
    void singlePermitAlternatesBetweenWorkspaces() throws InterruptedException {
        // Given
        FetchLimiter limiter = new FetchLimiter(1);
        acquire(limiter, greedy);
        List<Thread> threads = Stream.of(greedy, greedy, greedy, modest).map(workspace -> waitsFor(limiter, workspace))
                .toList();

        // When
        for (int i = 1; i <= threads.size(); i++) {
            int before = i;
            limiter.release(granted.getLast());
            Patience.await().until(() -> granted.size() > before);
        }

        // Then
        assertThat(granted).containsExactly(greedy, modest, greedy, greedy, greedy);
    }

    @Test
    void interruptedWaiterHoldsNoPermit() throws InterruptedException {
        // Given
        FetchLimiter limiter = new FetchLimiter(1);
        acquire(limiter, greedy);
        Thread impatient = waitsFor(limiter, greedy);

        // When
        impatient.interrupt();
        impatient.join();
        limiter.release(greedy);

        // Then
        acquire(limiter, modest);
        assertThat(granted).containsExactly(greedy, modest);
    }

    private Thread waitsFor(FetchLimiter limiter, UUID workspace) {
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                acquire(limiter, workspace);
            } catch (InterruptedException _) {
                // The waiter was interrupted on purpose.
            }
        });
        Patience.await().until(() -> thread.getState() == Thread.State.WAITING);
        return thread;
    }

    private void acquire(FetchLimiter limiter, UUID workspace) throws InterruptedException {
        limiter.acquire(workspace);
        granted.add(workspace);
    }
}
