package dev.waybill.common.api.account;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.security.Role;

/**
 * An API key as lists show it: never the key itself.
 *
 * @param prefix how the key begins, to tell keys apart
 * @param workspaceId null for a key of the whole organization
 * @param lastUsedAt accurate to the time that a looked-up key is remembered, at most 30 s
 */
public record ApiKeyResponse(UUID id, String name,
        @Schema(description = "How the key begins.", examples = "wb_1f3a9c2e") String prefix,
        @Nullable UUID workspaceId, Role role, Instant createdAt, @Nullable Instant expiresAt,
        @Nullable @Schema(description = "Accurate to 30 s.") Instant lastUsedAt) {
}
