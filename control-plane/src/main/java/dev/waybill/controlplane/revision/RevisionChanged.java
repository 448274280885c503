package dev.waybill.controlplane.revision;

import java.util.UUID;

/** Fired after a transaction that changed a revision of the deployment: whoever waits for one looks again. */
public record RevisionChanged(UUID deploymentId) {
}
