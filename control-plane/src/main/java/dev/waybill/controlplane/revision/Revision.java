package dev.waybill.controlplane.revision;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionResponse;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.deployment.SourceKind;

/**
 * What a deployment was, is or is to become.
 *
 * @param number within its deployment, from 1
 * @param revisionSource with the commit, once it is known
 * @param secrets sealed; null when there are none
 * @param logLines how many lines its log has
 */
public record Revision(UUID tenantId, UUID id, UUID deploymentId, long number, RevisionStatus status,
        @Nullable String statusMessage, SourceKind source, DeploymentSource deploymentSource, RevisionSource revisionSource,
        byte @Nullable [] secrets, Instant createdAt, Instant updatedAt, long logLines) {

    /** What changes whenever anything that is shown changes. */
    public String tag() {
        return "\"" + number + "-" + Long.toString(updatedAt.getEpochSecond() * 1_000_000 + updatedAt.getNano() / 1_000, 36)
                + "\"";
    }

    /** Whether waiting for it has an end: it is deployed, or has failed, or was stopped. */
    public boolean isSettled() {
        return !status.isInProgress();
    }

    /** As the wire shows it. */
    public RevisionResponse toResponse() {
        return new RevisionResponse(id, deploymentId, createdAt, updatedAt, status, statusMessage, source, revisionSource);
    }
}
