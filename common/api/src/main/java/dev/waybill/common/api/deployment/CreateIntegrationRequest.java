package dev.waybill.common.api.deployment;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Body of {@code POST /v1/integrations/repohost/install}.
 *
 * @param provider API that lists the repositories; derived from the host name if absent
 */
public record CreateIntegrationRequest(
        @NotNull(message = "is required") @Min(value = 0, message = "must be 0 or more") @Schema(description = "Installation id at the code-hosting provider; 0 if the provider has none.") Long installationId,
        @NotNull(message = "is required") @Size(min = 1, max = 255, message = "must have 1 to 255 characters") @Pattern(regexp = CreateIntegrationRequest.VISIBLE, message = "must have at least one visible character and no control characters") @Schema(description = "Account name at the provider.", examples = "acme") String name,
        @NotNull(message = "is required") @Size(min = 1, max = 2000, message = "must have 1 to 2000 characters") @Schema(description = "Base URL of all repositories of the integration.", examples = "https://github.com/acme") String baseUrl,
        @Nullable @Schema(enumeration = {
                "github", "gitlab", "gitea",
                "other" }) @Pattern(regexp = "github|gitlab|gitea|other", message = "must be one of github, gitlab, gitea, other") String provider,
        @Nullable @Schema(writeOnly = true, description = "Token for the repositories over https. Stored encrypted and never returned.") @Pattern(regexp = CreateIntegrationRequest.TOKEN, message = "must have 1 to 4096 visible ASCII characters") String token,
        @Nullable @Schema(writeOnly = true, description = "Private key for the repositories over ssh, instead of a token: ed25519, ecdsa or rsa, in OpenSSH or PEM format, without a passphrase. Stored encrypted and never returned.") @Size(min = 1, max = 16_384, message = "must have 1 to 16384 characters") String deployKey,
        @Nullable @Schema(description = "Public keys of the host, for a deploy_key: lines of OpenSSH's known_hosts. A host with another key is rejected, and the error contains that key.", examples = "git.example.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI...") @Size(min = 1, max = 16_384, message = "must have 1 to 16384 characters") String sshKnownHosts){

    static final String VISIBLE = "(?U)(?=.*\\S)[^\\p{Cc}\\p{Cs}]*";
    static final String TOKEN = "[\\x21-\\x7e]{1,4096}";

    /** Omits token and key. */
    @Override
    public String toString() {
        return "CreateIntegrationRequest[installationId=" + installationId + ", name=" + name + ", baseUrl=" + baseUrl + "]";
    }
}
