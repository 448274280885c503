package dev.waybill.common.limit;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

import dev.waybill.common.reactive.Blocking;
import io.smallrye.mutiny.Uni;

/**
 * A semaphore that is fair between keys, usually workspaces. A free permit is granted to the waiting key with the fewest
 * permits; among equals, to the one whose last grant is oldest. Work of one key waits in the order of its arrival.
 */
public final class KeyedSemaphore {

    private static final UUID ANY = new UUID(0, 0);
    private static final int MAX_REMEMBERED_KEYS = 10_000;

    private final int maxPerKey;
    private final Map<UUID, Deque<Waiter>> waiting = new LinkedHashMap<>();
    private final Map<UUID, Integer> held = new HashMap<>();
    private final Map<UUID, Long> lastGranted = new HashMap<>();
    private int free;
    private long grants;

    public KeyedSemaphore(int permits) {
        this(permits, permits);
    }

    /** @param maxPerKey maximum number of permits of one key, even if others are free */
    public KeyedSemaphore(int permits, int maxPerKey) {
        this.free = permits;
        this.maxPerKey = maxPerKey;
    }

    /** Waits for a permit; the caller must {@link #release} it. */
    public void acquire(UUID key) throws InterruptedException {
        Waiter waiter = enqueue(key);
        try {
            waiter.granted.await();
        } catch (InterruptedException e) {
            end(key, waiter);
            throw e;
        }
    }

    /** Releases a permit of {@link #acquire}. */
    public synchronized void release(UUID key) {
        held.computeIfPresent(key, (same, permits) -> permits == 1 ? null : permits - 1);
        free++;
        grantPermits();
        if (held.isEmpty() || lastGranted.size() > MAX_REMEMBERED_KEYS) {
            lastGranted.clear();
        }
    }

    /** Runs {@code work} when the key gets a permit, and releases it when the work ends or is cancelled. */
    public <T> Uni<T> withPermit(UUID key, Blocking blocking, Supplier<Uni<T>> work) {
        return Uni.createFrom().deferred(() -> {
            Waiter waiter = enqueue(key);
            Uni<Void> acquired = waiter.isGranted() ? Uni.createFrom().voidItem() : blocking.run(waiter.granted::await);
            return acquired
                    .chain(work::get)
                    .onTermination().invoke(() -> end(key, waiter));
        });
    }

    /** As {@link #withPermit(UUID, Blocking, Supplier)}, in the order of arrival. */
    public <T> Uni<T> withPermit(Blocking blocking, Supplier<Uni<T>> work) {
        return withPermit(ANY, blocking, work);
    }

    /** Returns the number of waiting pieces of work. */
    public synchronized int waiting() {
        return waiting.values().stream().mapToInt(Deque::size).sum();
    }

    private synchronized Waiter enqueue(UUID key) {
        Waiter waiter = new Waiter();
        waiting.computeIfAbsent(key, ignored -> new ArrayDeque<>()).add(waiter);
        grantPermits();
        return waiter;
    }

    private synchronized void end(UUID key, Waiter waiter) {
        if (waiter.ended) {
            return;
        }
        waiter.ended = true;
        if (waiter.isGranted()) {
            release(key);
            return;
        }
        waiting.computeIfPresent(key, (same, queue) -> {
            queue.remove(waiter);
            return queue.isEmpty() ? null : queue;
        });
    }

    private void grantPermits() {
        while (free > 0 && !waiting.isEmpty()) {
            UUID next = waiting.keySet().stream()
                    .filter(key -> held(key) < maxPerKey)
                    .min(Comparator.comparingInt(this::held)
                            .thenComparingLong(key -> lastGranted.getOrDefault(key, 0L)))
                    .orElse(null);
            if (next == null) {
                return;
            }
            grant(next);
        }
    }

    private void grant(UUID key) {
        Deque<Waiter> queue = waiting.getOrDefault(key, new ArrayDeque<>());
        queue.remove().granted.countDown();
        if (queue.isEmpty()) {
            waiting.remove(key);
        }
        free--;
        held.merge(key, 1, Integer::sum);
        lastGranted.put(key, ++grants);
    }

    private int held(UUID key) {
        return held.getOrDefault(key, 0);
    }

    /** A piece of work that waits for a permit or holds one. */
    private static final class Waiter {

        private final CountDownLatch granted = new CountDownLatch(1);
        private boolean ended;

        boolean isGranted() {
            return granted.getCount() == 0;
        }
    }
}
