package dev.waybill.controlplane.source;

import org.jspecify.annotations.Nullable;

/**
 * An account at a repository host.
 *
 * @param baseUrl the prefix of all repositories of the account, for example {@code https://github.com/acme}
 * @param installationId the provider's id of the installation
 * @param account the account's name at the provider
 */
public record RepositoryHost(Provider provider, String baseUrl, long installationId, String account,
        @Nullable Credential credential) {
}
