package dev.waybill.controlplane.revision;

import java.util.UUID;

/**
 * Event after a transaction that requests work on a deployment: the current step is obsolete and new work is due.
 * Delivery is best-effort; the database has the same information.
 */
public record RolloutRequested(UUID deploymentId) {
}
