package dev.waybill.controlplane.source.git;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/**
 * Limits concurrent fetches, in total and per workspace (docs/decisions/0061). A free permit is granted to the waiting
 * workspace with the fewest permits; among equals, to the one whose last grant is oldest.
 */
final class FetchLimiter {

    private final int maxPerWorkspace;
    private final Map<UUID, Deque<CountDownLatch>> waiting = new LinkedHashMap<>();
    private final Map<UUID, Integer> held = new HashMap<>();
    private final Map<UUID, Long> lastGranted = new HashMap<>();
    private int free;
    private long count;

    /** Allows {@code max} concurrent fetches, and half of them for one workspace. */
    FetchLimiter(int max) {
        this.free = max;
        this.maxPerWorkspace = Math.max(1, max / 2);
    }

    /** Waits for a permit; the caller must {@link #release} it. */
    void acquire(UUID workspace) throws InterruptedException {
        CountDownLatch permit = new CountDownLatch(1);
        synchronized (this) {
            waiting.computeIfAbsent(workspace, _ -> new ArrayDeque<>()).add(permit);
            grantPermits();
        }
        try {
            permit.await();
        } catch (InterruptedException e) {
            cancel(workspace, permit);
            throw e;
        }
    }

    synchronized void release(UUID workspace) {
        held.computeIfPresent(workspace, (_, permits) -> permits == 1 ? null : permits - 1);
        free++;
        grantPermits();
        if (held.isEmpty()) {
            lastGranted.clear();
        }
    }

    private synchronized void cancel(UUID workspace, CountDownLatch permit) {
        if (permit.getCount() == 0) {
            release(workspace);
            return;
        }
        waiting.computeIfPresent(workspace, (_, permits) -> {
            permits.remove(permit);
            return permits.isEmpty() ? null : permits;
        });
    }

    private void grantPermits() {
        while (free > 0) {
            UUID next = waiting.keySet().stream()
                    .filter(workspace -> held(workspace) < maxPerWorkspace)
                    .min(Comparator.comparingInt(this::held)
                            .thenComparingLong(workspace -> lastGranted.getOrDefault(workspace, 0L)))
                    .orElse(null);
            if (next == null) {
                return;
            }
            Deque<CountDownLatch> queue = waiting.getOrDefault(next, new ArrayDeque<>());
            queue.remove().countDown();
            free--;
            held.merge(next, 1, Integer::sum);
            lastGranted.put(next, ++count);
            if (queue.isEmpty()) {
                waiting.remove(next);
            }
        }
    }

    private int held(UUID workspace) {
        return held.getOrDefault(workspace, 0);
    }
}
