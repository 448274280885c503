package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;

class KeyedLocksTest {

    private final KeyedLocks<String> locks = new KeyedLocks<>();
    private int inside;
    private int most;
    private int times;

    @Test
    void oneIsInsideAtATimeAndNothingIsLeft() throws InterruptedException {
        // When
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                workers.submit(() -> {
                    try (KeyedLocks.Held ignored = locks.take("one")) {
                        inside++;
                        most = Math.max(most, inside);
                        Thread.yield();
                        inside--;
                        times++;
                    }
                    return true;
                });
            }
        }

        // Then
        assertThat(times).isEqualTo(200);
        assertThat(most).isOne();
        assertThat(locks.size()).isZero();
    }

    @Test
    void whoIsInterruptedWhileItWaitsLeavesNothingAndNobodyWaitsForOthersKeys() throws InterruptedException {
        // Given
        KeyedLocks.Held held = locks.take("one");
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                locks.take("one").close();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        Patience.await().until(() -> waiting.getState() == Thread.State.WAITING);

        // When
        locks.take("other").close();
        waiting.interrupt();
        waiting.join();
        held.close();

        // Then
        assertThat(locks.size()).isZero();
        locks.take("one").close();
    }
}
