package dev.waybill.controlplane.revision;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Event after a transaction that changed a deployment or one of its revisions; wakes waiting clients and is announced to
 * subscribers. Delivery is best-effort; the database has the same information.
 *
 * @param revisionId the revision that a step concerns; null if there is none
 * @param byRequest whether a request changed it, so that the rollout's current step is obsolete and new work is due
 * @param isVisible whether a response of the API has changed
 */
public record RevisionChanged(UUID tenantId, UUID deploymentId, @Nullable UUID revisionId, boolean byRequest,
        boolean isVisible) {

    /** Returns the event after a request that created or ended revisions. */
    public static RevisionChanged afterRequest(UUID tenantId, UUID deploymentId) {
        return new RevisionChanged(tenantId, deploymentId, null, true, true);
    }

    /** Returns the event after a request that changed the deployment only. */
    public static RevisionChanged afterRename(UUID tenantId, UUID deploymentId) {
        return new RevisionChanged(tenantId, deploymentId, null, false, true);
    }

    /** Returns the event after a step of a rollout. */
    public static RevisionChanged afterStep(UUID tenantId, UUID deploymentId, @Nullable UUID revisionId, boolean isVisible) {
        return new RevisionChanged(tenantId, deploymentId, revisionId, false, isVisible);
    }
}
