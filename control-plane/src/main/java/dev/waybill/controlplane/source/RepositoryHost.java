package dev.waybill.controlplane.source;

import org.jspecify.annotations.Nullable;

/**
 * An account at a host of repositories.
 *
 * @param baseUrl all of the account's repositories lie under it: {@code https://github.com/acme}
 * @param installationId the provider's number of the installation
 * @param account the account's name at the provider
 */
public record RepositoryHost(Provider provider, String baseUrl, long installationId, String account,
        @Nullable Credential credential) {
}
