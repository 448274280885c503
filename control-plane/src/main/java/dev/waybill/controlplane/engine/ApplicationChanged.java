package dev.waybill.controlplane.engine;

import java.util.UUID;

/**
 * Event that an engine fires, from any thread, when a deployment's processes or pods change state. It makes the reconciler
 * check the deployment immediately; a lost event only delays the check.
 */
public record ApplicationChanged(UUID tenantId, UUID deploymentId) {
}
