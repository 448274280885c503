package dev.waybill.common.api.deployment;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.Auditable;

/** A deployment. */
public record DeploymentResponse(UUID id, UUID tenantId, String name, @Nullable String displayName, SourceKind source,
        DeploymentSource sourceConfig, RevisionSource sourceRevisionConfig, List<SecretName> secrets, Instant createdAt,
        Instant updatedAt, DeploymentStatus status,
        @Nullable @Schema(description = "Why the status is UNKNOWN.") String statusMessage,
        @Nullable @Schema(description = "The newest revision, regardless of its status.") UUID latestRevisionId,
        @Nullable @Schema(description = "The status of the newest revision.") RevisionStatus latestRevisionStatus,
        @Nullable @Schema(description = "The revision that serves requests.") UUID activeRevisionId,
        @Schema(description = "URL of the deployed application.") String url) implements Auditable {
}
