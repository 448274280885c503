package dev.waybill.common.api.deployment;

import java.util.UUID;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * {@code source_config}: the source of a deployment and how it is built and run.
 *
 * @param customUrl URL of the deployment; the operator routes a custom URL to it
 */
@Schema(name = "SourceConfig")
public record DeploymentSource(
        @Nullable @Schema(description = "The integration whose credentials give access to the repository; absent for a public repository. Cannot be changed after creation.") UUID integrationId,
        @Nullable @Schema(description = "URL of the repository under the integration's base_url: https, ssh, or file if the operator allows it. Cannot be changed after creation.", examples = "https://github.com/acme/agent") @Size(max = 2000, message = "must have at most 2000 characters") String repoUrl,
        @Nullable @Schema(description = "Cannot be changed after creation.") DeploymentType deploymentType,
        @Nullable @Schema(description = "Whether a push to repo_ref creates a revision.", defaultValue = "false") Boolean buildOnPush,
        @Nullable @Schema(description = "URL of the deployment, same as url.") @Size(max = 2000, message = "must have at most 2000 characters") String customUrl,
        @Nullable @Schema(description = "Command that replaces the default installation of dependencies; runs in the application's directory.") @Size(max = 4000, message = "must have at most 4000 characters") @Pattern(regexp = DeploymentSource.ONE_LINE, message = "must be one line without control characters") String installCommand,
        @Nullable @Schema(description = "Command that runs after the install command.") @Size(max = 4000, message = "must have at most 4000 characters") @Pattern(regexp = DeploymentSource.ONE_LINE, message = "must be one line without control characters") String buildCommand,
        @Nullable @Valid ResourceSpec resourceSpec) {

    static final String ONE_LINE = "[^\\p{Cc}]*";

    /** An empty source_config. */
    public static final DeploymentSource EMPTY = new DeploymentSource(null, null, null, null, null, null, null, null);

    /** Returns a copy with another integration. */
    public DeploymentSource withIntegration(@Nullable UUID id) {
        return new DeploymentSource(id, repoUrl, deploymentType, buildOnPush, customUrl, installCommand, buildCommand,
                resourceSpec);
    }

    /** Returns a copy with another custom URL. */
    public DeploymentSource withCustomUrl(@Nullable String url) {
        return new DeploymentSource(integrationId, repoUrl, deploymentType, buildOnPush, url, installCommand, buildCommand,
                resourceSpec);
    }
}
