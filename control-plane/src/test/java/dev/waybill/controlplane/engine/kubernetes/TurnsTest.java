package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;

class TurnsTest {

    private final Turns turns = new Turns();
    private final UUID deployment = UUID.randomUUID();

    @Test
    void nothingIsTakenAwayWhileSomethingIsMade() throws Exception {
        // Given
        AtomicBoolean removed = new AtomicBoolean();

        // When
        CompletableFuture<?> removal = turns.making(deployment, () -> {
            CompletableFuture<?> other = CompletableFuture.runAsync(() -> remove(removed));
            Patience.await().until(() -> turns.isWaitedFor(deployment));
            assertThat(removed).isFalse();
            return other;
        });

        // Then
        removal.join();
        assertThat(removed).isTrue();
    }

    @Test
    void whoIsDoneIsForgotten() throws Exception {
        for (int i = 0; i < 100; i++) {
            turns.making(UUID.randomUUID(), () -> assertThat(turns.size()).isEqualTo(1));
            turns.removing(UUID.randomUUID(), () -> assertThat(turns.size()).isEqualTo(1));
        }
        assertThatThrownBy(() -> turns.making(deployment, () -> {
            throw new IllegalStateException("broken");
        })).hasMessage("broken");

        assertThat(turns.size()).isZero();
    }

    private void remove(AtomicBoolean removed) {
        try {
            turns.removing(deployment, () -> {
                removed.set(true);
                return null;
            });
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
