package dev.waybill.controlplane.revision;

import java.util.UUID;

/**
 * Event after a transaction that changed a revision of the deployment; wakes waiting clients. Delivery is best-effort; the
 * database has the same information.
 *
 * @param byRequest whether a request changed it, so that the rollout's current step is obsolete and new work is due
 */
public record RevisionChanged(UUID deploymentId, boolean byRequest) {

    /** Returns the event after a request. */
    public static RevisionChanged afterRequest(UUID deploymentId) {
        return new RevisionChanged(deploymentId, true);
    }

    /** Returns the event after a step of a rollout. */
    public static RevisionChanged afterStep(UUID deploymentId) {
        return new RevisionChanged(deploymentId, false);
    }
}
