package dev.waybill.experiment.intake;

import static dev.waybill.common.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;

import dev.waybill.common.reactive.Blocking;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

class KeyedSemaphoreTest {

    private static final UUID ONE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);

    private final KeyedSemaphore turns = new KeyedSemaphore(new Blocking(), 1);
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> first = new CompletableFuture<>();

    @Test
    void turnsGoRoundByWorkspace() {
        // Given
        enter(ONE, "first", Uni.createFrom().completionStage(first));
        for (String name : List.of("one 1", "one 2", "one 3")) {
            enter(ONE, name, Uni.createFrom().voidItem());
        }
        enter(OTHER, "other", Uni.createFrom().voidItem());
        assertThat(turns.waiting()).isEqualTo(4);
        assertThat(begun).containsExactly("first");

        // When
        first.complete(null);

        // Then
        await().untilAsserted(() -> assertThat(begun).containsExactly("first", "one 1", "other", "one 2", "one 3"));
        await().until(() -> turns.waiting() == 0);
    }

    @Test
    void whoFailsAndWhoGoesAwayLeaveTheirTurnToTheNext() {
        // Given
        enter(ONE, "first", Uni.createFrom().completionStage(first));
        Cancellable gone = enter(ONE, "gone", Uni.createFrom().voidItem());
        enter(OTHER, "fails", Uni.createFrom().failure(new IllegalStateException("no")));
        enter(ONE, "last", Uni.createFrom().voidItem());

        // When
        gone.cancel();
        first.complete(null);

        // Then
        await().untilAsserted(() -> assertThat(begun).containsExactlyInAnyOrder("first", "fails", "last"));
        await().untilAsserted(() -> {
            enter(ONE, "again", Uni.createFrom().voidItem());
            assertThat(begun).contains("again");
        });
    }

    private Cancellable enter(UUID workspace, String name, Uni<Void> work) {
        return turns
                .inTurn(workspace, () -> {
                    begun.add(name);
                    return work;
                })
                .subscribe().with(done -> assertThat(done).isNull(), failure -> assertThat(failure).hasMessage("no"));
    }
}
