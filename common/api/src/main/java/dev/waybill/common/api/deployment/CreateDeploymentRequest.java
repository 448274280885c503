package dev.waybill.common.api.deployment;

import java.util.List;
import java.util.UUID;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Body of {@code POST /v2/deployments}.
 *
 * @param integrationId same as in {@code sourceConfig}
 */
public record CreateDeploymentRequest(
        @NotNull(message = "is required") @Pattern(regexp = CreateDeploymentRequest.DNS_LABEL, message = "must be a DNS label: 1 to 63 lower case letters, digits and hyphens, with no hyphen at the start or end") @Schema(description = "Unique in the workspace.", examples = "support-agent") String name,
        @NotNull(message = "is required") SourceKind source,
        @Nullable @Schema(description = "The same as source_config.integration_id.") UUID integrationId,
        @NotNull(message = "is required") @Valid DeploymentSource sourceConfig,
        @NotNull(message = "is required") @Valid RevisionSource sourceRevisionConfig,
        @Nullable @Size(max = 200, message = "must have at most 200 elements") @Schema(description = "Environment variables of the application.") List<@Valid SecretValue> secrets) {

    static final String DNS_LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

    /** Returns source_config with the integration from there or, if missing there, from the request itself. */
    public DeploymentSource sourceWithIntegration() {
        return sourceConfig.integrationId() == null ? sourceConfig.withIntegration(integrationId) : sourceConfig;
    }

    /** Returns the secrets, or an empty list. */
    public List<SecretValue> secretsOrNone() {
        return secrets == null ? List.of() : secrets;
    }
}
