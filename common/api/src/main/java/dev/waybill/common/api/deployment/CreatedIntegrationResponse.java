package dev.waybill.common.api.deployment;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import dev.waybill.common.api.Auditable;

/** A new integration with its webhook secret. */
public record CreatedIntegrationResponse(UUID id, long installationId, String name, String baseUrl, String provider,
        Instant createdAt,
        @Schema(description = "Path of this service to which the host sends push webhooks.") String webhookPath,
        @Schema(description = "Secret that signs push webhooks. Only this response contains it.") String webhookSecret)
        implements
            Auditable {

    /** Omits the secret, so that logs never contain it. */
    @Override
    public String toString() {
        return "CreatedIntegrationResponse[id=" + id + ", webhookSecret=***]";
    }
}
