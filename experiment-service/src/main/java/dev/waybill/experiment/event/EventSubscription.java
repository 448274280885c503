package dev.waybill.experiment.event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.event.Change;
import dev.waybill.common.event.ChangeSet;
import io.smallrye.mutiny.Uni;

/**
 * One client's view of the changes in its workspace. Changes are merged while the client does not read, so a slow client
 * needs no more memory than a fast one.
 */
final class EventSubscription {

    private final UUID tenantId;
    private final ChangeSet pending = new ChangeSet();
    private Instant position;
    private boolean mayHaveMissed;
    private @Nullable Runnable waiter;

    EventSubscription(UUID tenantId, Instant position) {
        this.tenantId = tenantId;
        this.position = position;
    }

    UUID tenantId() {
        return tenantId;
    }

    /**
     * Adds changes for the client.
     *
     * @param newPosition position of a client that has received these and all earlier changes
     */
    void add(List<Change> changes, Instant newPosition) {
        synchronized (this) {
            changes.forEach(pending::add);
            position = newPosition;
        }
        if (!changes.isEmpty()) {
            wake();
        }
    }

    /** Notifies the client that changes may have been missed. */
    void resync() {
        synchronized (this) {
            mayHaveMissed = true;
        }
        wake();
    }

    /** Ends the wait of {@link #next} immediately. */
    void wake() {
        Runnable waiting;
        synchronized (this) {
            waiting = waiter;
            waiter = null;
        }
        if (waiting != null) {
            waiting.run();
        }
    }

    /** Returns the changes as soon as there are some, or none after the time. */
    Uni<Changes> next(Duration timeout) {
        return Uni.createFrom().<Void> emitter(emitter -> whenChanged(() -> emitter.complete(null)))
                .ifNoItem().after(timeout).recoverWithUni(Uni.createFrom().voidItem())
                .map(ignored -> drain());
    }

    private void whenChanged(Runnable newWaiter) {
        synchronized (this) {
            if (pending.isEmpty() && !mayHaveMissed) {
                waiter = newWaiter;
                return;
            }
        }
        newWaiter.run();
    }

    /** Removes and returns the changes without waiting. */
    synchronized Changes drain() {
        Changes changes = new Changes(mayHaveMissed, pending.drain(), position);
        mayHaveMissed = false;
        return changes;
    }

    /**
     * Changes since the last call.
     *
     * @param mayHaveMissed whether there may be others
     * @param position position of a client that has received them
     */
    record Changes(boolean mayHaveMissed, List<Change> changes, Instant position) {

        boolean isEmpty() {
            return !mayHaveMissed && changes.isEmpty();
        }
    }
}
