package dev.waybill.common.testing;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An API key in the database, with its organization and workspace.
 *
 * @param keyWorkspaceId null for an organization-wide key
 * @param key the key as a client sends it
 */
public record Account(UUID organizationId, UUID workspaceId, @Nullable UUID keyWorkspaceId, UUID apiKeyId, String plan,
        String role,
        String key) {
}
