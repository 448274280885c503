package dev.waybill.controlplane.revision;

import java.util.UUID;

/**
 * Fired after a transaction in which somebody asked for something of a deployment: what was being done about it is out of date,
 * and there is something to do. Nothing depends on it; what it would have told stands in the database.
 */
public record RolloutRequested(UUID deploymentId) {
}
