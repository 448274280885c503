package dev.waybill.common.api.account;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An API key in lists, without the key itself.
 *
 * @param prefix public beginning of the key
 * @param workspaceId null for an organization-wide key
 * @param lastUsedAt accurate to the cache time of keys, at most 30 s
 */
public record ApiKeyResponse(UUID id, String name,
        @Schema(description = "The public beginning of the key.", examples = "wb_1f3a9c2e") String prefix,
        @Nullable UUID workspaceId, KeyRole role, Instant createdAt, @Nullable Instant expiresAt,
        @Nullable @Schema(description = "Accurate to 30 s.") Instant lastUsedAt) {
}
