package dev.waybill.common.event;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Changes that wait to be written or sent. Repeated changes of a resource count once, and many resources of one type become
 * {@link Change#SEVERAL}, so the size is bounded for each workspace. Not thread-safe.
 */
public final class ChangeSet {

    static final int MAX_RESOURCES = 100;

    private final Map<Scope, Map<UUID, Change>> changes = new LinkedHashMap<>();

    /** Adds a change. */
    public void add(Change change) {
        Map<UUID, Change> ofType = changes.computeIfAbsent(new Scope(change.tenantId(), change.type()),
                scope -> new LinkedHashMap<>());
        if (ofType.containsKey(Change.SEVERAL)) {
            return;
        }
        ofType.put(change.id(), change);
        if (change.isOfSeveral() || ofType.size() > MAX_RESOURCES) {
            ofType.clear();
            ofType.put(Change.SEVERAL, change.ofSeveral());
        }
    }

    /** Returns whether there are no changes. */
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Removes and returns all changes. */
    public List<Change> drain() {
        List<Change> drained = new ArrayList<>();
        changes.values().forEach(ofType -> drained.addAll(ofType.values()));
        changes.clear();
        return drained;
    }

    private record Scope(UUID tenantId, ChangeType type) {
    }
}
