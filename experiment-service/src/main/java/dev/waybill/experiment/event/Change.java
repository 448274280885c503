package dev.waybill.experiment.event;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.EventsResponse.Event;

/**
 * A change of a resource.
 *
 * @param id the resource; {@link #SEVERAL} for several or an unknown one
 */
record Change(UUID tenantId, ChangeType type, UUID id, @Nullable UUID sessionId, @Nullable UUID datasetId) {

    /** Stands for several resources. */
    static final UUID SEVERAL = new UUID(0, 0);

    /** Returns the change of several resources of this type. */
    Change ofSeveral() {
        return new Change(tenantId, type, SEVERAL, null, null);
    }

    boolean isOfSeveral() {
        return id.equals(SEVERAL);
    }

    Event toEvent() {
        return new Event(type.wireName(), isOfSeveral() ? null : id, sessionId, datasetId);
    }
}
