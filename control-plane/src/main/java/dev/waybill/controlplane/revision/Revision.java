package dev.waybill.controlplane.revision;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionCommit;
import dev.waybill.common.api.deployment.RevisionPhases;
import dev.waybill.common.api.deployment.RevisionResponse;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.deployment.SourceKind;

/**
 * One version of a deployment.
 *
 * @param number within its deployment, from 1
 * @param revisionSource includes the commit after it was resolved
 * @param secrets encrypted; null if there are none
 * @param logLines number of lines of its log
 */
public record Revision(UUID tenantId, UUID id, UUID deploymentId, long number, RevisionStatus status,
        @Nullable String statusMessage, SourceKind source, DeploymentSource deploymentSource, RevisionSource revisionSource,
        byte @Nullable [] secrets, Instant createdAt, Instant updatedAt, long logLines, RevisionPhases phases,
        @Nullable RevisionCommit commit) {

    /** Returns the entity tag, which changes with every visible change. */
    public String tag() {
        return "\"" + number + "-" + Long.toString(updatedAt.getEpochSecond() * 1_000_000 + updatedAt.getNano() / 1_000, 36)
                + "\"";
    }

    /** Returns whether the revision is not in progress any more: it is deployed, failed or interrupted. */
    public boolean isSettled() {
        return !status.isInProgress();
    }

    /** Returns the API's form. */
    public RevisionResponse toResponse() {
        return new RevisionResponse(id, deploymentId, createdAt, updatedAt, status, statusMessage, source, revisionSource,
                phases, commit);
    }
}
