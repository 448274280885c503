package dev.waybill.common.event;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A change of a resource.
 *
 * @param id the resource; {@link #SEVERAL} for several or an unknown one
 * @param deploymentId the deployment of a revision
 */
public record Change(UUID tenantId, ChangeType type, UUID id, @Nullable UUID sessionId, @Nullable UUID datasetId,
        @Nullable UUID deploymentId) {

    /** Stands for several resources. */
    public static final UUID SEVERAL = new UUID(0, 0);

    /** Returns the change of several resources of this type. */
    Change ofSeveral() {
        return new Change(tenantId, type, SEVERAL, null, null, null);
    }

    /** Returns whether it stands for the changes of several resources. */
    public boolean isOfSeveral() {
        return id.equals(SEVERAL);
    }
}
