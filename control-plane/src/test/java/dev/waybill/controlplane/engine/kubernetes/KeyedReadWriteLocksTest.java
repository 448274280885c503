package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;

class KeyedReadWriteLocksTest {

    private final KeyedReadWriteLocks locks = new KeyedReadWriteLocks();
    private final UUID deployment = UUID.randomUUID();

    @Test
    void exclusiveWorkWaitsForSharedWork() throws Exception {
        // Given
        AtomicBoolean removed = new AtomicBoolean();

        // When
        CompletableFuture<?> removal = locks.shared(deployment, () -> {
            CompletableFuture<?> other = CompletableFuture.runAsync(() -> remove(removed));
            Patience.await().until(() -> locks.hasWaiters(deployment));
            assertThat(removed).isFalse();
            return other;
        });

        // Then
        removal.join();
        assertThat(removed).isTrue();
    }

    @Test
    void locksAreRemovedAfterUse() throws Exception {
        for (int i = 0; i < 100; i++) {
            locks.shared(UUID.randomUUID(), () -> assertThat(locks.size()).isEqualTo(1));
            locks.exclusive(UUID.randomUUID(), () -> assertThat(locks.size()).isEqualTo(1));
        }
        assertThatThrownBy(() -> locks.shared(deployment, () -> {
            throw new IllegalStateException("broken");
        })).hasMessage("broken");

        assertThat(locks.size()).isZero();
    }

    private void remove(AtomicBoolean removed) {
        try {
            locks.exclusive(deployment, () -> {
                removed.set(true);
                return null;
            });
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
