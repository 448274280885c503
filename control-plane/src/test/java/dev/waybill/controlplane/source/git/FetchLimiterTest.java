package dev.waybill.controlplane.source.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;

/** Who fetches next. */
class FetchLimiterTest {

    private final UUID greedy = UUID.randomUUID();
    private final UUID modest = UUID.randomUUID();
    private final List<UUID> served = new CopyOnWriteArrayList<>();

    @Test
    void aWorkspaceGetsSoManyAndTheOthersAreLeftToOthers() throws InterruptedException {
        // Given
        FetchLimiter places = new FetchLimiter(3, 2);
        take(places, greedy);
        take(places, greedy);
        Thread third = waitsFor(places, greedy);

        // When
        take(places, modest);

        // Then
        assertThat(served).containsExactly(greedy, greedy, modest);
        places.giveBack(greedy);
        third.join();
        assertThat(served).hasSize(4);
    }

    @Test
    void withOnePlaceWorkspacesTakeTurns() throws InterruptedException {
        // Given
        FetchLimiter places = new FetchLimiter(1, 1);
        take(places, greedy);
        List<Thread> threads = Stream.of(greedy, greedy, greedy, modest).map(workspace -> waitsFor(places, workspace)).toList();

        // When
        for (int i = 1; i <= threads.size(); i++) {
            int before = i;
            places.giveBack(served.getLast());
            Patience.await().until(() -> served.size() > before);
        }

        // Then
        assertThat(served).containsExactly(greedy, modest, greedy, greedy, greedy);
    }

    @Test
    void whoIsInterruptedLeavesNothingTaken() throws InterruptedException {
        // Given
        FetchLimiter places = new FetchLimiter(1, 1);
        take(places, greedy);
        Thread impatient = waitsFor(places, greedy);

        // When
        impatient.interrupt();
        impatient.join();
        places.giveBack(greedy);

        // Then
        take(places, modest);
        assertThat(served).containsExactly(greedy, modest);
    }

    private Thread waitsFor(FetchLimiter places, UUID workspace) {
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                take(places, workspace);
            } catch (InterruptedException _) {
                // It was sent away.
            }
        });
        Patience.await().until(() -> thread.getState() == Thread.State.WAITING);
        return thread;
    }

    private void take(FetchLimiter places, UUID workspace) throws InterruptedException {
        places.take(workspace);
        served.add(workspace);
    }
}
