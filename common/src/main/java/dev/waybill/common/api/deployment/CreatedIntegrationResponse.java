package dev.waybill.common.api.deployment;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import dev.waybill.common.audit.Auditable;

/** A new integration, with what is told once. */
public record CreatedIntegrationResponse(UUID id, long installationId, String name, String baseUrl, String provider,
        Instant createdAt,
        @Schema(description = "Where the host sends its push webhooks to, on this service.") String webhookPath,
        @Schema(description = "What push webhooks are signed with. It is answered here and never again.") String webhookSecret)
        implements
            Auditable {

    /** Without the secret, so that no log shows it. */
    @Override
    public String toString() {
        return "CreatedIntegrationResponse[id=" + id + ", webhookSecret=***]";
    }
}
