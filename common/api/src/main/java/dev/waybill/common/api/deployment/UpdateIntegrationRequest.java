package dev.waybill.common.api.deployment;

import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Body of {@code PATCH /v1/integrations/repohost/{integration_id}}. Null or absent members are unchanged; members that cannot
 * be changed may be repeated with their value.
 */
public record UpdateIntegrationRequest(
        @Nullable @Schema(description = "Cannot be changed.") Long installationId,
        @Nullable @Schema(description = "Account name at the provider.") @Size(min = 1, max = 255, message = "must have 1 to 255 characters") @Pattern(regexp = CreateIntegrationRequest.VISIBLE, message = "must have at least one visible character and no control characters") String name,
        @Nullable @Schema(description = "Cannot be changed.") String baseUrl,
        @Nullable @Schema(description = "Cannot be changed.") String provider,
        @Nullable @Schema(writeOnly = true, description = "Replaces the credentials for the repositories. Stored encrypted and never returned.") @Pattern(regexp = CreateIntegrationRequest.TOKEN, message = "must have 1 to 4096 visible ASCII characters") String token,
        @Nullable @Schema(writeOnly = true, description = "Replaces the credentials for the repositories, together with ssh_known_hosts if present. Stored encrypted and never returned.") @Size(min = 1, max = 16_384, message = "must have 1 to 16384 characters") String deployKey,
        @Nullable @Schema(description = "Public keys of the host, for the deploy_key of this request or the stored one.") @Size(min = 1, max = 16_384, message = "must have 1 to 16384 characters") String sshKnownHosts,
        @Nullable @Schema(writeOnly = true, description = "Replaces the secret that signs push webhooks immediately; set it at the host as well. Stored encrypted and never returned.") @Pattern(regexp = UpdateIntegrationRequest.WEBHOOK_SECRET, message = "must have 32 to 255 visible ASCII characters") String webhookSecret) {

    static final String WEBHOOK_SECRET = "[\\x21-\\x7e]{32,255}";

    /** Omits token, key and secret. */
    @Override
    public String toString() {
        return "UpdateIntegrationRequest[name=" + name + "]";
    }
}
