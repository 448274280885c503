package dev.waybill.experiment.event;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;

/**
 * One client's view of the changes in its workspace. Changes are merged while the client does not read, so a slow client
 * needs no more memory than a fast one.
 */
final class EventSubscription {

    private final UUID tenantId;
    private final ChangeSet pending = new ChangeSet();
    private boolean mayHaveMissed;
    private @Nullable Runnable waiter;

    EventSubscription(UUID tenantId) {
        this.tenantId = tenantId;
    }

    UUID tenantId() {
        return tenantId;
    }

    /** Adds a change for the client. */
    void add(Change change) {
        synchronized (this) {
            pending.add(change);
        }
        wake();
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
                .ifNoItem().after(timeout).recoverWithNull()
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

    private synchronized Changes drain() {
        Changes changes = new Changes(mayHaveMissed, pending.drain());
        mayHaveMissed = false;
        return changes;
    }

    /**
     * Changes since the last call.
     *
     * @param mayHaveMissed whether there may be others
     */
    record Changes(boolean mayHaveMissed, List<Change> changes) {

        boolean isEmpty() {
            return !mayHaveMissed && changes.isEmpty();
        }
    }
}
