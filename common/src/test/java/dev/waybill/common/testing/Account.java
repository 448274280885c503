package dev.waybill.common.testing;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An API key in the database and what it belongs to.
 *
 * @param keyWorkspaceId null for a key that opens every workspace of its organization
 * @param key the plain key, as a client sends it
 */
public record Account(UUID organizationId, UUID workspaceId, @Nullable UUID keyWorkspaceId, UUID apiKeyId, String plan,
        String role,
        String key) {
}
