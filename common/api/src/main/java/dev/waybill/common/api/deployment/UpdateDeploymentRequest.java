package dev.waybill.common.api.deployment;

import java.util.List;
import java.util.UUID;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Body of {@code PATCH /v2/deployments/{id}} and of {@code POST .../revisions}. Null or absent members are unchanged; members
 * that cannot be changed may be repeated with their value.
 */
public record UpdateDeploymentRequest(
        @Nullable @Schema(description = "Display name.") @Size(min = 1, max = 255, message = "must have 1 to 255 characters") @Pattern(regexp = "[^\\p{Cc}]*", message = "must not contain control characters") String displayName,
        @Nullable @Schema(description = "Cannot be changed.") String name,
        @Nullable @Schema(description = "Cannot be changed.") SourceKind source,
        @Nullable @Schema(description = "Cannot be changed.") UUID integrationId,
        @Nullable @Valid DeploymentSource sourceConfig,
        @Nullable @Valid RevisionSource sourceRevisionConfig,
        @Nullable @Size(max = 200, message = "must have at most 200 elements") @Schema(description = "Replaces the whole list; an empty list changes nothing.") List<@Valid SecretValue> secrets) {

    /** Returns the new list of secrets; empty if it is unchanged. */
    public List<SecretValue> secretsOrNone() {
        return secrets == null ? List.of() : secrets;
    }

    /** Returns the changes of the source. */
    public DeploymentSource sourceOrEmpty() {
        return sourceConfig == null ? DeploymentSource.EMPTY : sourceConfig;
    }

    /** Returns the changes of the revision's source. */
    public RevisionSource revisionSourceOrEmpty() {
        return sourceRevisionConfig == null ? RevisionSource.EMPTY : sourceRevisionConfig;
    }
}
