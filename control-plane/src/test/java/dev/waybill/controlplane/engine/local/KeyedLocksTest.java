package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.engine.local.InterProcessLock.KeyedLocks;

class KeyedLocksTest {

    private final KeyedLocks<String> locks = new KeyedLocks<>();
    private int inside;
    private int maxInside;
    private int times;

    @Test
    void isExclusivePerKeyAndRemovedAfterUse() throws InterruptedException {
        // When
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                workers.submit(() -> {
                    try (KeyedLocks.LockHandle ignored = locks.acquire("one")) {
                        inside++;
                        maxInside = Math.max(maxInside, inside);
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
        assertThat(maxInside).isOne();
        assertThat(locks.size()).isZero();
    }

    @Test
    void interruptedWaiterLeavesNoLock() throws InterruptedException {
        // Given
        KeyedLocks.LockHandle held = locks.acquire("one");
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                locks.acquire("one").close();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        Patience.await().until(() -> waiting.getState() == Thread.State.WAITING);

        // When
        locks.acquire("other").close();
        waiting.interrupt();
        waiting.join();
        held.close();

        // Then
        assertThat(locks.size()).isZero();
        locks.acquire("one").close();
    }
}
