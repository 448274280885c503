package dev.waybill.controlplane.engine;

import java.util.UUID;

/**
 * Fired by an engine ({@code Event<ApplicationChanged>}, from any thread) when it sees that something about a deployment
 * changed: a process ended, a pod became ready. The reconciler looks at once, so that it need not ask all the time; one that
 * is lost costs time only.
 */
public record ApplicationChanged(UUID tenantId, UUID deploymentId) {
}
