package dev.waybill.common.api.deployment;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** An integration as the wire shows it (interface.md 2.1). */
@Schema(name = "RepoHostIntegration", requiredProperties = { "id", "installation_id", "name" })
public record IntegrationResponse(
        @Schema(description = "What a deployment names as its integration_id.") UUID id,
        @Schema(description = "Installation id at the code-hosting provider.") long installationId,
        @Schema(description = "Account name at the provider.") String name,
        @Schema(description = "All repositories of the integration lie under it.") String baseUrl,
        @Schema(enumeration = {
                "github", "gitlab", "gitea", "other" }) String provider,
        Instant createdAt,
        @Schema(description = "Where the host sends its push webhooks to, on this service.") String webhookPath){
}
