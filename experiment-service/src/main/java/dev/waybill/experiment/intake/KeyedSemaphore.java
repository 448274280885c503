package dev.waybill.experiment.intake;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

import dev.waybill.common.reactive.Blocking;
import io.smallrye.mutiny.Uni;

/**
 * A semaphore that is fair between keys: waiting workspaces get permits in rotation, so a workspace with a hundred waiting
 * batches does not delay the next batch of another. Admission control limits the number of waiting batches.
 */
final class KeyedSemaphore {

    private final Blocking blocking;
    private final LinkedHashMap<UUID, Deque<Waiter>> waiting = new LinkedHashMap<>();
    private int available;

    KeyedSemaphore(Blocking blocking, int permits) {
        this.blocking = blocking;
        this.available = permits;
    }

    /** Runs {@code work} when the workspace gets a permit. */
    <T> Uni<T> withPermit(UUID workspace, Supplier<Uni<T>> work) {
        return Uni.createFrom().deferred(() -> {
            Waiter waiter = acquire(workspace);
            Uni<Void> acquired = waiter.permit.availablePermits() > 0 ? Uni.createFrom().voidItem()
                    : blocking.run(waiter.permit::acquire);
            return acquired
                    .chain(work::get)
                    .onTermination().invoke(() -> release(workspace, waiter));
        });
    }

    /** Returns the number of waiting pieces of work. */
    synchronized int waiting() {
        return waiting.values().stream().mapToInt(Deque::size).sum();
    }

    private synchronized Waiter acquire(UUID workspace) {
        Waiter waiter = new Waiter();
        if (available > 0) {
            available--;
            waiter.grant();
        } else {
            waiting.computeIfAbsent(workspace, ignored -> new ArrayDeque<>()).add(waiter);
        }
        return waiter;
    }

    private synchronized void release(UUID workspace, Waiter waiter) {
        if (!waiter.granted) {
            Deque<Waiter> queue = waiting.get(workspace);
            if (queue != null && queue.remove(waiter) && queue.isEmpty()) {
                waiting.remove(workspace);
            }
        } else if (!waiter.ended) {
            waiter.ended = true;
            grantNext();
        }
    }

    // The workspace that gets the permit moves to the end of the rotation.
    private void grantNext() {
        Map.Entry<UUID, Deque<Waiter>> next = waiting.pollFirstEntry();
        if (next == null) {
            available++;
            return;
        }
        Waiter waiter = next.getValue().remove();
        if (!next.getValue().isEmpty()) {
            waiting.put(next.getKey(), next.getValue());
        }
        waiter.grant();
    }

    /** One piece of work that waits for or holds a permit. */
    private static final class Waiter {

        private final Semaphore permit = new Semaphore(0);
        private boolean granted;
        private boolean ended;

        void grant() {
            granted = true;
            permit.release();
        }
    }
}
