package dev.waybill.controlplane.revision;

import java.util.UUID;

/** Event after a transaction that changed a revision of the deployment; wakes waiting clients. */
public record RevisionChanged(UUID deploymentId) {
}
