package dev.waybill.common.api.deployment;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** An integration. */
@Schema(name = "RepoHostIntegration", requiredProperties = { "id", "installation_id", "name" })
public record IntegrationResponse(
        @Schema(description = "The value for integration_id of a deployment.") UUID id,
        @Schema(description = "Installation id at the code-hosting provider.") long installationId,
        @Schema(description = "Account name at the provider.") String name,
        @Schema(description = "Base URL of all repositories of the integration.") String baseUrl,
        @Schema(enumeration = {
                "github", "gitlab", "gitea", "other" }) String provider,
        Instant createdAt,
        @Schema(description = "Path of this service to which the host sends push webhooks.") String webhookPath){
}
