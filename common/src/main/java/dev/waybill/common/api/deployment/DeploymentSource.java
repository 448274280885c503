package dev.waybill.common.api.deployment;

import java.util.UUID;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * {@code source_config}: where a deployment comes from and how it is built and run.
 *
 * @param customUrl the deployment's address; where a request gives one, clients reach it there by the operator's doing
 */
@Schema(name = "SourceConfig")
public record DeploymentSource(
        @Nullable @Schema(description = "The integration whose credential opens the repository; none for a public one. Fixed at creation.") UUID integrationId,
        @Nullable @Schema(description = "The repository: https, ssh, or file where the operator allows it; under the integration's base_url. Fixed at creation.", examples = "https://github.com/acme/agent") @Size(max = 2000, message = "must have at most 2000 characters") String repoUrl,
        @Nullable @Schema(description = "Fixed at creation.") DeploymentType deploymentType,
        @Nullable @Schema(description = "Whether a push to repo_ref makes a revision.", defaultValue = "false") Boolean buildOnPush,
        @Nullable @Schema(description = "The deployment's address, the same as url.") @Size(max = 2000, message = "must have at most 2000 characters") String customUrl,
        @Nullable @Schema(description = "Run in the application's folder instead of what its dependencies would have.") @Size(max = 4000, message = "must have at most 4000 characters") @Pattern(regexp = DeploymentSource.ONE_LINE, message = "must be one line without control characters") String installCommand,
        @Nullable @Schema(description = "Run after the install command.") @Size(max = 4000, message = "must have at most 4000 characters") @Pattern(regexp = DeploymentSource.ONE_LINE, message = "must be one line without control characters") String buildCommand,
        @Nullable @Valid ResourceSpec resourceSpec) {

    static final String ONE_LINE = "[^\\p{Cc}]*";

    /** What an empty source_config says. */
    public static final DeploymentSource NOTHING = new DeploymentSource(null, null, null, null, null, null, null, null);

    /** The same with another integration. */
    public DeploymentSource withIntegration(@Nullable UUID id) {
        return new DeploymentSource(id, repoUrl, deploymentType, buildOnPush, customUrl, installCommand, buildCommand,
                resourceSpec);
    }

    /** The same with another address. */
    public DeploymentSource withCustomUrl(@Nullable String url) {
        return new DeploymentSource(integrationId, repoUrl, deploymentType, buildOnPush, url, installCommand, buildCommand,
                resourceSpec);
    }
}
