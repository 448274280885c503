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

    private final KeyedSemaphore semaphore = new KeyedSemaphore(new Blocking(), 1);
    private final List<String> started = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> first = new CompletableFuture<>();

    @Test
    void permitsRotateBetweenWorkspaces() {
        // Given
        run(ONE, "first", Uni.createFrom().completionStage(first));
        for (String name : List.of("one 1", "one 2", "one 3")) {
            run(ONE, name, Uni.createFrom().voidItem());
        }
        run(OTHER, "other", Uni.createFrom().voidItem());
        assertThat(semaphore.waiting()).isEqualTo(4);
        assertThat(started).containsExactly("first");

        // When
        first.complete(null);

        // Then
        await().untilAsserted(() -> assertThat(started).containsExactly("first", "one 1", "other", "one 2", "one 3"));
        await().until(() -> semaphore.waiting() == 0);
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
        await().untilAsserted(() -> assertThat(started).containsExactlyInAnyOrder("first", "fails", "last"));
        await().untilAsserted(() -> {
            run(ONE, "again", Uni.createFrom().voidItem());
            assertThat(started).contains("again");
        });
    }

    private Cancellable run(UUID workspace, String name, Uni<Void> work) {
        return semaphore
                .withPermit(workspace, () -> {
                    started.add(name);
                    return work;
                })
                .subscribe().with(done -> assertThat(done).isNull(), failure -> assertThat(failure).hasMessage("no"));
    }
}
