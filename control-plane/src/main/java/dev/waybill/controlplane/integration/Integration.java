package dev.waybill.controlplane.integration;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.CreatedIntegrationResponse;
import dev.waybill.common.api.deployment.IntegrationResponse;
import dev.waybill.controlplane.source.Provider;

/**
 * A workspace's account at a repository host.
 *
 * @param credential encrypted
 * @param webhookSecret encrypted
 */
public record Integration(UUID tenantId, UUID id, long installationId, String name, Provider provider, String baseUrl,
        byte @Nullable [] credential, byte[] webhookSecret, Instant createdAt) {

    Integration with(String newName, byte @Nullable [] newCredential, byte[] newWebhookSecret) {
        return new Integration(tenantId, id, installationId, newName, provider, baseUrl, newCredential, newWebhookSecret,
                createdAt);
    }

    IntegrationResponse toResponse() {
        return new IntegrationResponse(id, installationId, name, baseUrl, provider.toString(), createdAt, webhookPath());
    }

    CreatedIntegrationResponse toCreatedResponse(String plainWebhookSecret) {
        return new CreatedIntegrationResponse(id, installationId, name, baseUrl, provider.toString(), createdAt,
                webhookPath(), plainWebhookSecret);
    }

    private String webhookPath() {
        return "/v1/integrations/repohost/" + id + "/webhook";
    }
}
