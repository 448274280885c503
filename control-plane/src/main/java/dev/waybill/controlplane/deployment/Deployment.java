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
import dev.waybill.controlplane.source.RepositoryAddresses;

/**
 * A deployed application.
 *
 * @param specification the configuration of its next revision
 * @param active the active revision; null if none
 */
record Deployment(UUID tenantId, UUID id, String name, @Nullable String displayName, Specification specification, String url,
        @Nullable UUID latestRevisionId, @Nullable RevisionStatus latestStatus, @Nullable Active active, Instant createdAt,
        Instant updatedAt, boolean deleted) {

    private static final String BRANCHES = "refs/heads/";

    /**
     * The requested configuration.
     *
     * @param secrets encrypted; null if there are none
     * @param secretNames the names of the secrets, which are visible to users
     */
    record Specification(SourceKind source, DeploymentSource deploymentSource, RevisionSource revisionSource,
            byte @Nullable [] secrets, List<String> secretNames) {
    }

    /** The revision that serves requests, and its status. */
    record Active(UUID revisionId, RevisionStatus status, @Nullable String message, @Nullable String commit) {
    }

    /**
     * Returns whether a push to the ref of a repository with these addresses rebuilds the deployment; pushes do not move
     * tags and commits.
     */
    boolean isBuiltFrom(List<String> addresses, String ref) {
        String repository = specification.deploymentSource().repoUrl();
        String wanted = specification.revisionSource().repoRef();
        return repository != null && wanted != null && ref.startsWith(BRANCHES)
                && (wanted.equals(ref) || ref.equals(BRANCHES + wanted))
                && addresses.stream().map(RepositoryAddresses::normalize)
                        .anyMatch(RepositoryAddresses.normalize(repository)::equals);
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
        return new DeploymentResponse(id, tenantId, name, displayName, specification.source(),
                specification.deploymentSource().withCustomUrl(url),
                specification.revisionSource().at(active == null ? null : active.commit()),
                specification.secretNames().stream().map(SecretName::new).toList(), createdAt, updatedAt, status(),
                active == null ? null : active.message(), latestRevisionId, latestStatus,
                active == null ? null : active.revisionId(), url);
    }
}
