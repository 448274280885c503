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
 * Lets so many batches be written at once; the others wait, and turns go round by workspace, so that a workspace that sends a
 * hundred at once is not before another's one. How many wait is bounded by how many requests are let in.
 */
final class KeyedSemaphore {

    private final Blocking blocking;
    private final LinkedHashMap<UUID, Deque<Turn>> waiting = new LinkedHashMap<>();
    private int free;

    KeyedSemaphore(Blocking blocking, int atOnce) {
        this.blocking = blocking;
        this.free = atOnce;
    }

    /** The result of {@code work}, begun when its turn has come. */
    <T> Uni<T> inTurn(UUID workspace, Supplier<Uni<T>> work) {
        return Uni.createFrom().deferred(() -> {
            Turn turn = enter(workspace);
            Uni<Void> begun = turn.given.availablePermits() > 0 ? Uni.createFrom().voidItem()
                    : blocking.run(turn.given::acquire);
            return begun
                    .chain(work::get)
                    .onTermination().invoke(() -> end(workspace, turn));
        });
    }

    /** How many wait. */
    synchronized int waiting() {
        return waiting.values().stream().mapToInt(Deque::size).sum();
    }

    private synchronized Turn enter(UUID workspace) {
        Turn turn = new Turn();
        if (free > 0) {
            free--;
            turn.give();
        } else {
            waiting.computeIfAbsent(workspace, ignored -> new ArrayDeque<>()).add(turn);
        }
        return turn;
    }

    private synchronized void end(UUID workspace, Turn turn) {
        if (!turn.has) {
            Deque<Turn> line = waiting.get(workspace);
            if (line != null && line.remove(turn) && line.isEmpty()) {
                waiting.remove(workspace);
            }
        } else if (!turn.over) {
            turn.over = true;
            giveToTheNext();
        }
    }

    // The workspace that has its turn goes to the end of the round.
    private void giveToTheNext() {
        Map.Entry<UUID, Deque<Turn>> next = waiting.pollFirstEntry();
        if (next == null) {
            free++;
            return;
        }
        Turn turn = next.getValue().remove();
        if (!next.getValue().isEmpty()) {
            waiting.put(next.getKey(), next.getValue());
        }
        turn.give();
    }

    /** One turn. */
    private static final class Turn {

        private final Semaphore given = new Semaphore(0);
        private boolean has;
        private boolean over;

        void give() {
            has = true;
            given.release();
        }
    }
}
