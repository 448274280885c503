package dev.waybill.controlplane.deployment;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.DeploymentStatus;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.deployment.SecretName;
import dev.waybill.common.api.deployment.SourceKind;

/**
 * What a workspace wants to run.
 *
 * @param want what its next revision is made from
 * @param active how its active revision is; null when it has none
 */
record Deployment(UUID tenantId, UUID id, String name, @Nullable String displayName, Wanted want, String url,
        @Nullable UUID latestRevisionId, @Nullable Active active, Instant createdAt, Instant updatedAt, boolean deleted) {

    /**
     * @param secrets sealed; null when there are none
     * @param secretNames what of them is told
     */
    record Wanted(SourceKind source, DeploymentSource deploymentSource, RevisionSource revisionSource,
            byte @Nullable [] secrets, List<String> secretNames) {
    }

    /** The revision that requests go to, and how it does. */
    record Active(UUID revisionId, RevisionStatus status, @Nullable String message, @Nullable String commit) {
    }

    DeploymentStatus status() {
        if (deleted) {
            return DeploymentStatus.AWAITING_DELETE;
        }
        if (active == null) {
            return DeploymentStatus.UNUSED;
        }
        return active.status() == RevisionStatus.UNKNOWN ? DeploymentStatus.UNKNOWN : DeploymentStatus.READY;
    }

    DeploymentResponse toResponse() {
        return new DeploymentResponse(id, tenantId, name, displayName, want.source(),
                want.deploymentSource().withCustomUrl(url),
                want.revisionSource().at(active == null ? null : active.commit()),
                want.secretNames().stream().map(SecretName::new).toList(), createdAt, updatedAt, status(),
                active == null ? null : active.message(), latestRevisionId, active == null ? null : active.revisionId(), url);
    }
}
