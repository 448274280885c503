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
 * So many fetches at once, so many of one workspace (docs/decisions/0061). A place that becomes free goes to the workspace that
 * has the fewest, among equals to the one that was given one longest ago.
 */
final class FetchLimiter {

    private final int mostOfWorkspace;
    private final Map<UUID, Deque<CountDownLatch>> waiting = new LinkedHashMap<>();
    private final Map<UUID, Integer> held = new HashMap<>();
    private final Map<UUID, Long> served = new HashMap<>();
    private int free;
    private long count;

    FetchLimiter(int most, int mostOfWorkspace) {
        this.free = most;
        this.mostOfWorkspace = mostOfWorkspace;
    }

    /** Waits for a place; {@link #giveBack} is due when it returns. */
    void take(UUID workspace) throws InterruptedException {
        CountDownLatch turn = new CountDownLatch(1);
        synchronized (this) {
            waiting.computeIfAbsent(workspace, _ -> new ArrayDeque<>()).add(turn);
            handOut();
        }
        try {
            turn.await();
        } catch (InterruptedException e) {
            leave(workspace, turn);
            throw e;
        }
    }

    synchronized void giveBack(UUID workspace) {
        held.computeIfPresent(workspace, (_, places) -> places == 1 ? null : places - 1);
        free++;
        handOut();
        if (held.isEmpty()) {
            served.clear();
        }
    }

    private synchronized void leave(UUID workspace, CountDownLatch turn) {
        if (turn.getCount() == 0) {
            giveBack(workspace);
            return;
        }
        waiting.computeIfPresent(workspace, (_, turns) -> {
            turns.remove(turn);
            return turns.isEmpty() ? null : turns;
        });
    }

    private void handOut() {
        while (free > 0) {
            UUID next = waiting.keySet().stream()
                    .filter(workspace -> held(workspace) < mostOfWorkspace)
                    .min(Comparator.comparingInt(this::held)
                            .thenComparingLong(workspace -> served.getOrDefault(workspace, 0L)))
                    .orElse(null);
            if (next == null) {
                return;
            }
            Deque<CountDownLatch> turnsOfIt = waiting.getOrDefault(next, new ArrayDeque<>());
            turnsOfIt.remove().countDown();
            free--;
            held.merge(next, 1, Integer::sum);
            served.put(next, ++count);
            if (turnsOfIt.isEmpty()) {
                waiting.remove(next);
            }
        }
    }

    private int held(UUID workspace) {
        return held.getOrDefault(workspace, 0);
    }
}
