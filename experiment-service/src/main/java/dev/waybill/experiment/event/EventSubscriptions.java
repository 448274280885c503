package dev.waybill.experiment.event;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.event.Change;
import dev.waybill.common.event.ChangeType;
import dev.waybill.experiment.event.ChangeRepository.StoredChange;

/** The subscriptions of this replica by workspace. */
@Singleton
class EventSubscriptions {

    /** Changes are found for 15 s after they were written; a longer pause between two polls may have missed some. */
    private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

    private final Clock clock;
    private final Map<UUID, Workspace> workspaces = new HashMap<>();

    EventSubscriptions(Clock clock) {
        this.clock = clock;
    }

    /**
     * Adds a subscription to the changes after now.
     *
     * @param known the newest changes, which the client can already read
     */
    synchronized EventSubscription add(UUID tenantId, Instant position, List<StoredChange> known) {
        EventSubscription subscription = new EventSubscription(tenantId, position);
        Workspace workspace = workspaces.get(tenantId);
        if (workspace == null) {
            workspace = new Workspace(clock.instant());
            workspace.setSeen(known);
            workspaces.put(tenantId, workspace);
        }
        workspace.subscriptions.add(subscription);
        return subscription;
    }

    synchronized void remove(EventSubscription subscription) {
        Workspace workspace = workspaces.get(subscription.tenantId());
        if (workspace != null && workspace.subscriptions.remove(subscription) && workspace.subscriptions.isEmpty()) {
            workspaces.remove(subscription.tenantId());
        }
    }

    /** Returns the workspaces with subscriptions. */
    synchronized UUID[] tenantIds() {
        return workspaces.keySet().toArray(UUID[]::new);
    }

    /**
     * Forwards the changes that no earlier poll has found.
     *
     * @param tenantIds the workspaces of the poll
     * @param position position of a client that has read everything that the poll has found
     */
    void publish(UUID[] tenantIds, List<StoredChange> found, Instant position) {
        // Notified without the lock, because a stream can end and remove its subscription.
        deliveries(tenantIds, found).forEach(delivery -> delivery.to().forEach(subscription -> {
            if (delivery.mayHaveMissed()) {
                subscription.resync();
            }
            subscription.add(delivery.changes(), position);
        }));
    }

    private synchronized List<Delivery> deliveries(UUID[] tenantIds, List<StoredChange> found) {
        Map<UUID, List<StoredChange>> byWorkspace = new HashMap<>();
        found.forEach(change -> byWorkspace.computeIfAbsent(change.change().tenantId(), id -> new ArrayList<>()).add(change));
        Instant now = clock.instant();
        List<Delivery> deliveries = new ArrayList<>();
        for (UUID tenantId : tenantIds) {
            Workspace workspace = workspaces.get(tenantId);
            if (workspace != null) {
                deliveries.add(workspace.deliver(byWorkspace.getOrDefault(tenantId, List.of()), now));
            }
        }
        return deliveries;
    }

    /** A workspace with at least one subscription. */
    private static final class Workspace {

        private final List<EventSubscription> subscriptions = new ArrayList<>();
        private Map<ChangeKey, OffsetDateTime> seen = Map.of();
        private Instant polledAt;

        Workspace(Instant polledAt) {
            this.polledAt = polledAt;
        }

        Delivery deliver(List<StoredChange> found, Instant now) {
            List<Change> changes = found.stream()
                    .filter(stored -> !stored.changedAt().equals(seen.get(ChangeKey.of(stored.change()))))
                    .map(StoredChange::change)
                    .toList();
            Delivery delivery = new Delivery(List.copyOf(subscriptions), polledAt.plus(MAX_PAUSE).isBefore(now), changes);
            setSeen(found);
            polledAt = now;
            return delivery;
        }

        void setSeen(List<StoredChange> found) {
            Map<ChangeKey, OffsetDateTime> newest = HashMap.newHashMap(found.size());
            found.forEach(stored -> newest.put(ChangeKey.of(stored.change()), stored.changedAt()));
            seen = newest;
        }
    }

    /** Changes for the subscriptions of a workspace. */
    private record Delivery(List<EventSubscription> to, boolean mayHaveMissed, List<Change> changes) {
    }

    private record ChangeKey(ChangeType type, UUID id) {

        static ChangeKey of(Change change) {
            return new ChangeKey(change.type(), change.id());
        }
    }
}
