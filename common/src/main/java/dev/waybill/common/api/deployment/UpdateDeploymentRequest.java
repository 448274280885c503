package dev.waybill.common.api.deployment;

import java.util.List;
import java.util.UUID;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Body of {@code PATCH /v2/deployments/{id}} and of {@code POST .../revisions}. What is null or absent stays as it is; what
 * cannot be changed may be repeated.
 */
public record UpdateDeploymentRequest(
        @Nullable @Schema(description = "What people call it.") @Size(min = 1, max = 255, message = "must have 1 to 255 characters") @Pattern(regexp = "[^\\p{Cc}]*", message = "must hold no control characters") String displayName,
        @Nullable @Schema(description = "Cannot be changed.") String name,
        @Nullable @Schema(description = "Cannot be changed.") SourceKind source,
        @Nullable @Schema(description = "Cannot be changed.") UUID integrationId,
        @Nullable @Valid DeploymentSource sourceConfig,
        @Nullable @Valid RevisionSource sourceRevisionConfig,
        @Nullable @Size(max = 200, message = "must have at most 200 elements") @Schema(description = "Replaces the whole list; an empty one leaves it as it is.") List<@Valid SecretValue> secrets) {

    /** The new list of secrets; empty when it stays as it is. */
    public List<SecretValue> secretsOrNone() {
        return secrets == null ? List.of() : secrets;
    }

    /** What of the source changes. */
    public DeploymentSource sourceOrNothing() {
        return sourceConfig == null ? DeploymentSource.NOTHING : sourceConfig;
    }

    /** What of the revision's source changes. */
    public RevisionSource revisionOrNothing() {
        return sourceRevisionConfig == null ? RevisionSource.NOTHING : sourceRevisionConfig;
    }
}
